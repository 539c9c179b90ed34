//! The commands of the README print what it says.

#[test]
fn the_readme_is_true() {
    trycmd::TestCases::new().case("../../README.md");
}
