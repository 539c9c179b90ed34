//! Packs the files of the page.

fn main() -> std::io::Result<()> {
    flipcost_pack::pack(".", &["page", "page/views"])
}
