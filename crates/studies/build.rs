//! Packs the studies into the program, with the rules that they name and the terms that they
//! compare with.

fn main() -> std::io::Result<()> {
    let folders = [
        "analysis",
        "analysis/long",
        "analysis/rules",
        "data/reference",
    ];
    flipcost_pack::pack("../..", &folders)
}
