//! Packs the files of the page into the program.

fn main() -> std::io::Result<()> {
    flipcost_pack::pack(".", &["page", "page/views"])
}
