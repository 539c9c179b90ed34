//! What runs without a checkout: the studies of the program, chains of Storm, a file in a wrong place.

use crate::models::{path, rows};
use crate::support::{flipcost, refusal};
use std::fs;
use std::path::Path;
use std::process::Output;

/// The program in a folder of its own.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    flipcost("")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let file = path(folder, name);
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_study_of_the_program_runs_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let listed = run(folder.path(), &["list", "studies", "-f", "csv"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = listed
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert!(
        names.contains(&"knuth-yao-1976") && names.contains(&"several-dice"),
        "{names:?}"
    );
    let here = run(folder.path(), &["reproduce", "langkaas-2019"]);
    assert!(here.status.success(), "{here:?}");
    let claims =
        |root: &Path| fs::read_to_string(root.join("data/langkaas-2019/claims.csv")).unwrap();
    assert_eq!(claims(folder.path()), claims(Path::new("../..")));
    assert!(!folder.path().join("analysis").exists());
    // one of one's own comes before that of the program, and is listed once
    fs::create_dir(folder.path().join("analysis")).unwrap();
    let own = "title = \"mine\"\nquestion = \"q\"\n[[check]]\nclaim = \"c\"\npublished = \"4\"\n\
               that = \"cost(6, algorithm: rejection).expected = 4\"\n";
    fs::write(folder.path().join("analysis/langkaas-2019.toml"), own).unwrap();
    let again = run(folder.path(), &["reproduce", "langkaas-2019"]);
    let again = String::from_utf8(again.stdout).unwrap();
    assert_eq!(
        again,
        "study,claim,published,computed,verdict\nlangkaas-2019,c,4,4,reproduced\n"
    );
    let listed = run(folder.path(), &["list", "studies", "-f", "csv"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.matches("langkaas-2019").count(), 1);
    assert!(
        listed.starts_with("name,title,question\nlangkaas-2019,mine,q\n"),
        "{listed}"
    );
}

#[test]
fn without_a_folder_of_studies_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let all = run(folder.path(), &["reproduce"]);
    assert_eq!(all.status.code(), Some(2));
    let said = String::from_utf8(all.stderr).unwrap();
    assert!(
        said.contains("name a study of the program, which `flipcost list studies` lists"),
        "{said}"
    );
    let none = run(folder.path(), &["reproduce", "no-such-study"]);
    assert_eq!(none.status.code(), Some(2));
    let said = String::from_utf8(none.stderr).unwrap();
    assert!(said.contains("choose one of aldr-2025, "), "{said}");
}

/// A coin of 2/3 from flips of a fair one: heads, or after tails heads again from the beginning, or tails.
#[test]
fn explicit_files_of_storm_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| written(folder.path(), name, text);
    let tra = file(
        "a.tra",
        "dtmc\n0 1 0.5\n0 2 0.5\n1 0 0.5\n1 3 0.5\n2 2 1\n3 3 1\n",
    );
    let lab = file(
        "a.lab",
        "#DECLARATION\ninit heads tails\n#END\n0 init\n2 heads\n3 tails\n",
    );
    let rew = file("a.rew", "0 1\n1 2\n");
    let import = |more: &[&str]| {
        let first = ["import", "prism-explicit", &tra];
        rows(&[&first, more].concat())[0].clone()
    };
    // E = 1 + (1 + E / 2) / 2 = 2, with the rewards E = 1 + (2 + E / 2) / 2 = 8/3
    assert_eq!(import(&[])["expected_exact"], "2");
    assert_eq!(import(&["--labels", &lab])["expected_exact"], "2");
    assert_eq!(
        import(&["--labels", &lab, "--rewards", &rew])["expected_exact"],
        "8/3"
    );
    let law = rows(&["import", "prism-explicit", &tra, "--labels", &lab, "--law"]);
    assert_eq!(
        (&law[0]["outcome"], &law[0]["probability_exact"]),
        (&"heads".into(), &"2/3".into())
    );
    let wrong = file("b.lab", "#DECLARATION\ninit\n#END\n0 init\n2 heads\n");
    let said = refusal(&format!("import prism-explicit {tra} --labels {wrong}"));
    assert!(
        said.contains("line 5: \"heads\" is not among the labels of #DECLARATION"),
        "{said}"
    );
    let mdp = file("b.tra", "mdp\n0 0 1 1\n");
    let said = refusal(&format!("import prism-explicit {mdp}"));
    assert!(
        said.contains("the type is \"mdp\", and only a dtmc"),
        "{said}"
    );
}

#[test]
fn parameters_of_a_model_get_values() {
    let folder = tempfile::tempdir().unwrap();
    let model = "@type: DTMC\n@parameters\np q_1\n@reward_models\nflips\n@nr_states\n3\n@model\n\
                 state 0 [1] init\n\taction 0\n\t\t0 : 1-p\n\t\t1 : p*q_1\n\t\t2 : (p)*(1+(-1)*q_1)\n\
                 state 1 [0] heads\n\taction 0\n\t\t1 : 1\nstate 2 [0] tails\n\taction 0\n\t\t2 : 1\n";
    let file = written(folder.path(), "coin.drn", model);
    let set = |more: &[&str]| rows(&[&["import", "drn", &file], more].concat());
    // 1 / p flips
    assert_eq!(set(&["--set", "p=1/3,q_1=0.25"])[0]["expected_exact"], "3");
    let law = set(&["--set", "p=1/3", "--set", "q_1=1/4", "--law"]);
    assert_eq!(law[0]["probability_exact"], "1/4");
    for (more, wrong) in [
        (
            "",
            "has the parameter p, and it has no value: give it one, as in --set p=1/3",
        ),
        ("--set p=1/3", "has the parameter q_1"),
        (
            "--set p=1/3,q_1=1/2,r=1",
            "has no parameter r: its parameters are p, q_1",
        ),
        ("--set p=4/3,q_1=1/2", "\"1-p\" is -1/3, below 0"),
        ("--set p", "a parameter is given its value as in p=1/3"),
    ] {
        let said = refusal(&format!("import drn {file} {more}"));
        assert!(said.contains(wrong), "{said}");
    }
}

#[test]
fn a_file_in_place_of_a_format_or_a_name_is_said() {
    for (line, said) in [
        (
            "import die.drn",
            "\"die.drn\" is a file, and the FORMAT comes before it, as in `flipcost import drn die.drn`",
        ),
        (
            "import x/die.tra",
            "as in `flipcost import prism-explicit x/die.tra`",
        ),
        (
            "oeis check b136043.txt",
            "as in `flipcost oeis check A136043 --against b136043.txt`",
        ),
        (
            "oeis check x/terms.csv",
            "which sequence they are of is not said",
        ),
        ("oeis check nobody", "is not a known sequence"),
    ] {
        let found = refusal(line);
        assert!(found.contains(said), "{found}");
    }
}
