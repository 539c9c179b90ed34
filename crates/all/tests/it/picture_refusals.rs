//! The reasons why an answer has no picture, as each front end renders them.

use flipcost_question::PictureError;
use flipcost_question::{Answer, Control, FrontEnd};

/// Returns a question, and the error that each front end shows.
fn refused<T>(
    question: &str,
    picture: impl Fn(&flipcost_question::Answer) -> Result<T, PictureError>,
    said: [&str; 3],
) {
    let query = flipcost_all::from_json(question).unwrap();
    let answer = query.answer(&Control::default()).unwrap();
    let Err(error) = picture(&answer) else {
        panic!("{question} has this picture");
    };
    let front_ends = [flipcost_all::terminal(), FrontEnd::Python, FrontEnd::Plain];
    assert_eq!(
        front_ends.map(|front_end| error.render(front_end)),
        said,
        "{question}"
    );
}

#[test]
fn every_sentence_of_every_front_end() {
    refused(
        r#"{"ask":"decimals","of":"1/3"}"#,
        Answer::draw_picture,
        [
            "`flipcost decimals 1/3` has no such picture",
            "`flipcost.ask('decimals', of='1/3')` has no such picture",
            r#"`{"ask":"decimals","of":"1/3"}` has no such picture"#,
        ],
    );
    refused(
        r#"{"ask":"show","view":"tree","target":1000003,"depth":16}"#,
        Answer::draw_picture,
        [
            "the tree of depth 16 has 131071 nodes, and 2000 is the most here: choose a smaller --depth",
            "the tree of depth 16 has 131071 nodes, and 2000 is the most here: choose a smaller depth",
            "the tree of depth 16 has 131071 nodes, and 2000 is the most here: choose a smaller `depth`",
        ],
    );
    refused(
        r#"{"ask":"show","view":"tree","target":100,"depth":9}"#,
        Answer::draw_picture,
        [
            "a tree of depth 9 is too large to be read on a page: choose a smaller --depth",
            "a tree of depth 9 is too large to be read on a page: choose a smaller depth",
            "a tree of depth 9 is too large to be read on a page: choose a smaller `depth`",
        ],
    );
    refused(
        r#"{"ask":"cost","target":"2..2000","sources":"2..3","best":true}"#,
        Answer::draw_picture,
        [
            "a map of 2 sources and 1999 targets cannot be read: 1250 sources and 1800 targets are the most, while --format csv writes all",
            "a map of 2 sources and 1999 targets cannot be read: 1250 sources and 1800 targets are the most",
            "a map of 2 sources and 1999 targets cannot be read: 1250 sources and 1800 targets are the most",
        ],
    );
    refused(
        r#"{"ask":"cost","target":["1:2"],"sources":"2..3","best":true}"#,
        Answer::draw_picture,
        [
            "a map has an axis of fair dice in increasing order, and N names other targets",
            "a map has an axis of fair dice in increasing order, and target names other targets",
            "a map has an axis of fair dice in increasing order, and `target` names other targets",
        ],
    );
    let chart = "the flow chart of n = 1009 has more than 200 rounds: choose a smaller n";
    refused(
        r#"{"ask":"show","view":"flowchart","target":1009}"#,
        Answer::draw_picture,
        [chart; 3],
    );
    refused(
        r#"{"ask":"sequence","id":"mr:x=1/7"}"#,
        Answer::draw_picture,
        [
            "`flipcost sequence mr:x=1/7` has no such picture",
            "`flipcost.ask('sequence', id='mr:x=1/7')` has no such picture",
            r#"`{"ask":"sequence","id":"mr:x=1/7"}` has no such picture"#,
        ],
    );
}
