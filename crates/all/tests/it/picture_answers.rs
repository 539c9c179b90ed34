//! Pictures of the answers to real questions.

use flipcost_one_draw::pictures::flow_chart::MAX_ROUNDS;
use flipcost_one_draw::pictures::{flow_chart::flow_chart, tree::tree};
use flipcost_question::PictureError;
use flipcost_question::{Answer, Control};

fn answer(json: &str) -> Answer {
    let query = flipcost_all::from_json(json).unwrap();
    query.answer(&Control::default()).unwrap()
}

/// The example of the article: n = 6 from a coin.
#[test]
fn a_flow_chart_closes_at_the_cycle_of_the_answer() {
    let six = answer(r#"{"ask":"show","view":"flowchart","target":6}"#);
    let chart = flow_chart(&six).unwrap();
    assert_eq!((chart.target.as_str(), chart.unit.as_str()), ("6", "flip"));
    assert_eq!((chart.rounds.len(), chart.cycle), (2, Some(1)));
    assert_eq!(chart.rounds[1].subtract, "6");
    assert!(
        six.to_text(flipcost_all::terminal())
            .unwrap()
            .ends_with("3 flips in 1 round before the cycle, 2 flips in 1 round in it\n")
    );
    let eight = answer(r#"{"ask":"show","view":"flowchart","target":8}"#);
    assert_eq!(flow_chart(&eight).unwrap().cycle, None);
    // this answer can be computed, but its picture would be too large
    let long = answer(r#"{"ask":"show","view":"flowchart","target":1019}"#);
    assert!(long.rows.len() > MAX_ROUNDS);
    assert_eq!(flow_chart(&long).unwrap().rounds.len(), long.rows.len());
    assert!(matches!(long.draw_picture(), Err(PictureError::Input(_))));
}

/// Returns whether the title or a label of a picture contains this text.
fn picture_contains(answer: &Answer, text: &str) -> bool {
    answer.draw_picture().unwrap().svg().contains(text)
}

#[test]
fn a_chart_names_its_column_and_its_algorithm() {
    // the picture names the algorithm, since no other algorithm has this column
    let rounds =
        answer(r#"{"ask":"cost","target":"1..40","columns":["n","algorithm","cycle_rounds"]}"#);
    assert!(picture_contains(
        &rounds,
        "cycle_rounds of fast-dice-roller from a coin"
    ));
    let toll = answer(r#"{"ask":"cost","target":"1..40","columns":["n","algorithm","toll"]}"#);
    assert!(picture_contains(&toll, "toll from a coin"));
}

/// Von Neumann's pairs, Dijkstra's two tosses and Elias's blocks of two have the same curve,
/// 1/(pq). A formula is drawn at every p.
#[test]
fn costs_from_an_unknown_coin_are_drawn_against_p() {
    let bit = answer(r#"{"ask":"cost","target":"2","source":"unknown:2"}"#);
    for text in [
        "expected for a d2 from an unknown coin",
        "von-neumann = dijkstra = elias",
        "hoeffding-simons",
        "probability of heads, p",
        "entropy, 1/H(p)",
    ] {
        assert!(picture_contains(&bit, text), "{text}");
    }
    let six = answer(
        r#"{"ask":"cost","target":"6","source":"unknown:2","at":"p=1/3,1/2","columns":["algorithm","variance"]}"#,
    );
    assert!(
        picture_contains(&six, "variance of elias for a d6 from an unknown coin")
            && !picture_contains(&six, "entropy")
    );
    let unknown_die = answer(r#"{"ask":"cost","target":"6","source":"unknown:6"}"#);
    assert!(unknown_die.draw_picture().is_err());
}

#[test]
fn a_map_shows_numbers_if_they_fit_into_the_cells() {
    let map = |targets: &str| {
        let json = format!(r#"{{"ask":"cost","target":"{targets}","sources":"2,6","best":true}}"#);
        answer(&json).draw_picture().unwrap().svg().len()
    };
    // in a map of 20 targets each cell has room for its number, but not in a map of 21 targets
    let (numbers, none) = (map("2..21"), map("2..22"));
    assert!(numbers > none, "{numbers} {none}");
}

#[test]
fn a_tree_has_the_nodes_and_faces_of_the_answer() {
    let three = answer(r#"{"ask":"show","view":"tree","target":3,"depth":2}"#);
    let picture = tree(&three).unwrap();
    assert_eq!(picture.title, "Fast dice roller: a d3 from a coin");
    assert_eq!((picture.nodes.len(), picture.unit.as_str()), (7, "flips"));
    let edges = [("H".to_string(), 1), ("T".to_string(), 2)];
    assert_eq!(picture.nodes[0].edges, edges);
    assert_eq!(picture.nodes[6].probability, "1/4");
    let text = three.to_text(flipcost_all::terminal()).unwrap();
    assert!(
        text.starts_with("[v = 1, c = 0]\n├─ H [v = 2, c = 0]\n"),
        "{text}"
    );
    assert!(
        text.ends_with("undecided after 2 flips: probability 1/4\n"),
        "{text}"
    );
    // rolls of a die are shown as numbers instead of H and T
    let die = answer(r#"{"ask":"show","view":"tree","target":12,"source":6}"#);
    assert_eq!(tree(&die).unwrap().nodes[0].edges[5].0, "6");
    // a tree of 4095 nodes fits into a text, but not into a picture
    let deep = answer(r#"{"ask":"show","view":"tree","target":"10^9+7","depth":11}"#);
    assert_eq!(tree(&deep).unwrap().nodes.len(), 4095);
    let refused = deep.draw_picture().unwrap_err().to_string();
    assert!(refused.contains("4095 nodes, and 2000"), "{refused}");
}

#[test]
fn answers_without_a_picture_give_an_error() {
    for (json, command) in [
        (
            r#"{"ask":"cost","target":"1..9","summary":true}"#,
            "cost 1..9 --summary",
        ),
        (
            r#"{"ask":"show","view":"table","target":6}"#,
            "show 6 --as table",
        ),
    ] {
        let answer = answer(json);
        for refused in [
            answer.draw_picture().map(|_| ()),
            answer.to_text(flipcost_all::terminal()).map(|_| ()),
            tree(&answer).map(|_| ()),
            flow_chart(&answer).map(|_| ()),
        ] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, PictureError::Kind(_)), "{refused}");
            assert!(
                refused.render(flipcost_all::terminal()).contains(command),
                "{refused}"
            );
        }
    }
    // an answer whose rows do not belong to its question
    let mut broken = answer(r#"{"ask":"show","view":"tree","target":6}"#);
    broken.head.columns.remove(1);
    assert!(matches!(
        broken.to_text(flipcost_all::terminal()),
        Err(PictureError::Input(_))
    ));
    let mut broken = answer(r#"{"ask":"show","view":"tree","target":6}"#);
    broken.rows.swap(0, 3);
    assert!(matches!(broken.draw_picture(), Err(PictureError::Input(_))));
}

/// The curve runs from the mean to more than the largest number of rolls. Each level is drawn as a
/// line, with the number of rolls that suffice.
#[test]
fn the_tail_of_many_draws_is_drawn() {
    let ntt =
        answer(r#"{"ask":"supply","accept":"3329/4096","count":256,"failure":"2^-128,2^-256"}"#);
    assert!(picture_contains(
        &ntt,
        "How many rolls suffice: 256 results of attempts that are accepted with probability"
    ));
    assert!(picture_contains(&ntt, "2⁻²⁵⁶: 557 rolls"));
    let certain = answer(r#"{"ask":"supply","targets":"8","count":3}"#);
    assert!(matches!(
        certain.draw_picture(),
        Err(PictureError::Input(_))
    ));
}
