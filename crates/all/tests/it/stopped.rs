//! A question ends soon after it is stopped, and reports its progress.

use flipcost::table::Cell;
use flipcost_models::questions::Export;
use flipcost_oeis::questions::NamedSequence;
use flipcost_one_draw::questions::{DecisionTree, Flowchart, LookupTable, Roll, Simulate};
use flipcost_question::description::Described;
use flipcost_question::{Control, Foot, Head, Query, QueryError, Sink};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A sink that stops the run at the first rows, and counts all rows.
struct Stopper {
    control: Control,
    rows: u64,
}

impl Sink for Stopper {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        self.control.stop();
        self.rows += rows.len() as u64;
        Ok(())
    }

    fn foot(&mut self, _: Foot) -> Result<(), QueryError> {
        panic!("a run that was stopped has no foot");
    }
}

#[test]
fn a_stopped_question_begins_nothing() {
    let control = Control::default();
    control.stop();
    let queries: [Query; 7] = [
        DecisionTree::new(6).into(),
        Flowchart::new(6).into(),
        LookupTable::with_defaults([("target", Some("6".into())), ("view", Some("table".into()))])
            .into(),
        Roll::with_defaults([("target", Some("6".into()))]).into(),
        Simulate::with_defaults([("target", Some("6".into())), ("test", Some(true.into()))]).into(),
        NamedSequence::new("mr:x=1/1000003").into(),
        Export::with_defaults([
            ("language", Some("prism".into())),
            ("target", Some("6".into())),
        ])
        .into(),
    ];
    for query in queries {
        let mut sink = Stopper {
            control: control.clone(),
            rows: 0,
        };
        let answered = query.run(&control, &mut sink);
        let command = query.command();
        assert!(matches!(answered, Err(QueryError::Stopped)), "{command}");
        assert_eq!(sink.rows, 0, "{command}");
    }
}

#[test]
fn long_answers_end_after_the_current_chunk() {
    let rolls = |trace| Roll {
        count: 1 << 50,
        seed: Some(1),
        trace,
        ..Roll::with_defaults([("target", Some("6".into()))])
    };
    let tree = DecisionTree {
        depth: Some(1000),
        ..DecisionTree::new(5)
    };
    for query in [rolls(false).into(), rolls(true).into(), tree.into()] {
        let query: Query = query;
        let control = Control::default();
        let mut sink = Stopper {
            control: control.clone(),
            rows: 0,
        };
        let answered = query.run(&control, &mut sink);
        let command = query.command();
        assert!(matches!(answered, Err(QueryError::Stopped)), "{command}");
        assert!(
            (1..=1 << 16).contains(&sink.rows),
            "{command}: {}",
            sink.rows
        );
    }
}

/// A computation of many digits does not delay another question that needs only a few digits, and
/// can be stopped while it runs.
#[test]
fn a_long_question_does_not_block_a_short_one() {
    for (long, short) in [
        (
            r#"{"ask":"cost","target":6,"digits":1000000}"#,
            r#"{"ask":"cost","target":6,"digits":90}"#,
        ),
        (
            r#"{"ask":"toll-oscillations","upto":0,"digits":100000}"#,
            r#"{"ask":"toll-oscillations","upto":0,"digits":9}"#,
        ),
        (
            r#"{"ask":"plan","target":4999,"dice":"3,4,5,6,7,8,9,10,11,12,13,14,16,18,20"}"#,
            r#"{"ask":"cost","target":6}"#,
        ),
    ] {
        let [long, short] = [long, short].map(|text| flipcost_all::from_json(text).unwrap());
        let control = Control::default();
        let held = control.clone();
        let waits = std::thread::spawn(move || long.answer(&held));
        std::thread::sleep(std::time::Duration::from_millis(500));
        short.answer(&Control::default()).unwrap();
        assert!(!waits.is_finished(), "{short:?}");
        control.stop();
        let stopped = std::time::Instant::now();
        assert!(matches!(waits.join().unwrap(), Err(QueryError::Stopped)));
        assert!(stopped.elapsed().as_secs() < 5, "{short:?}");
    }
}

/// Rolling a target of a million bits would take hours; a stop interrupts it.
#[test]
fn a_single_long_roll_is_stopped() {
    let query = Query::from(Roll {
        seed: Some(1),
        ..Roll::with_defaults([("target", Some("2^(10^6)+1".into()))])
    });
    let control = Control::default();
    let stopper = control.clone();
    let waiting = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        stopper.stop();
    });
    assert!(matches!(query.answer(&control), Err(QueryError::Stopped)));
    waiting.join().unwrap();
}

#[test]
fn a_simulation_reports_its_progress_and_is_stopped() {
    let query = Query::from(Simulate {
        count: NonZeroU64::new(300_000).unwrap(),
        ..Simulate::with_defaults([("target", Some("6".into())), ("test", Some(true.into()))])
    });
    let told = Arc::new(AtomicU64::new(0));
    let most = told.clone();
    let control = Control::default().with_progress(move |progress| {
        assert_eq!(progress.all, 300_000);
        most.fetch_max(progress.done, Ordering::Relaxed);
    });
    for threads in [0, 1, 3] {
        told.store(0, Ordering::Relaxed);
        query
            .answer(&control.clone().with_threads(threads))
            .unwrap();
        assert_eq!(told.load(Ordering::Relaxed), 300_000);
    }

    let query = Query::from(Simulate {
        count: NonZeroU64::new(Simulate::MAX_TRIALS).unwrap(),
        ..Simulate::with_defaults([("target", Some("6".into())), ("test", Some(true.into()))])
    });
    let stopper = Arc::new(std::sync::OnceLock::<Control>::new());
    let at = stopper.clone();
    let control = Control::default().with_progress(move |_| at.get().unwrap().stop());
    stopper.set(control.clone()).ok().unwrap();
    assert!(matches!(query.answer(&control), Err(QueryError::Stopped)));
}

#[test]
fn many_rolls_report_their_progress() {
    let told = Arc::new(AtomicU64::new(0));
    let parts = told.clone();
    let control = Control::default().with_progress(move |progress| {
        assert_eq!(progress.all, 200_000);
        assert!(progress.done <= 200_000);
        parts.fetch_add(1, Ordering::Relaxed);
    });
    let query = Query::from(Roll {
        count: 200_000,
        seed: Some(1),
        ..Roll::with_defaults([("target", Some("6".into()))])
    });
    assert_eq!(query.answer(&control).unwrap().rows.len(), 200_000);
    assert_eq!(told.load(Ordering::Relaxed), 4 + 1);
}

/// The estimated size of the output grows with the question, and is not far below the real size.
#[test]
fn estimates_of_the_output_are_close() {
    let huge = Query::from(Roll {
        count: u64::MAX,
        ..Roll::with_defaults([("target", Some("2^(10^7)".into()))])
    });
    assert!(huge.estimate().output > 1 << 80);
    for json in [
        r#"{"ask":"show","view":"tree","target":5,"depth":9}"#,
        r#"{"ask":"show","view":"tree","target":"52!","depth":7}"#,
        r#"{"ask":"show","view":"flowchart","target":1009}"#,
        r#"{"ask":"show","view":"flowchart","target":"2^127-1"}"#,
        r#"{"ask":"show","view":"table","target":6,"source":4}"#,
        r#"{"ask":"show","view":"table","target":1000,"source":2}"#,
        r#"{"ask":"roll","target":"52!","count":1000,"seed":1}"#,
        r#"{"ask":"roll","target":100,"count":50,"seed":1,"trace":true}"#,
        r#"{"ask":"sequence","id":"mr:x=1/29","terms":5000}"#,
        r#"{"ask":"export","language":"prism","target":100}"#,
    ] {
        let query = flipcost_all::from_json(json).unwrap();
        let mut bytes = Vec::new();
        let answer = query.answer(&Control::default()).unwrap();
        answer.write_json(&mut bytes).unwrap();
        let estimate = query.estimate();
        assert!(
            4 * estimate.output + 2000 > bytes.len() as u128,
            "{json}: {estimate:?}, and {} bytes",
            bytes.len()
        );
    }
}

/// Sweeps, checks, searches of the OEIS, simulations and searches with an effort may run for more
/// than a minute, but a single answer may not.
#[test]
fn a_streamed_answer_has_no_time_limit() {
    let is_streamed = |question: &str| flipcost_all::from_json(question).unwrap().is_streamed();
    for question in [
        r#"{"ask":"cost","target":"2..9"}"#,
        r#"{"ask":"verify","claim":"toll","to":99}"#,
        r#"{"ask":"verify-that","that":"n = n","to":3}"#,
        r#"{"ask":"oeis-check"}"#,
        r#"{"ask":"roll","test":true,"target":6}"#,
        r#"{"ask":"cost","target":2,"source":"1:2","optimal":true}"#,
        r#"{"ask":"plan","target":13,"dice":"6,10","optimal":true}"#,
    ] {
        assert!(is_streamed(question), "{question}");
    }
    for question in [
        r#"{"ask":"cost","target":2}"#,
        r#"{"ask":"list-claims"}"#,
        r#"{"ask":"show","view":"tree","target":6}"#,
    ] {
        assert!(!is_streamed(question), "{question}");
    }
}

#[test]
fn a_long_question_can_be_stopped_between_its_parts() {
    for text in [
        r#"{"ask":"distribution","target":"6","algorithm":"fast-dice-roller","upto":2000}"#,
        r#"{"ask":"batch","targets":[4,13],"source":6,"capacity":"1..50"}"#,
        r#"{"ask":"batch","targets":[2],"source":6,"repeat":true,"capacity":"1..50"}"#,
        r#"{"ask":"batch","targets":[4,13,52],"trace":true,"seed":5}"#,
        r#"{"ask":"shuffle","cards":5}"#,
        r#"{"ask":"plan","target":13,"dice":"6,10"}"#,
        r#"{"ask":"plan","target":13,"factoring":true}"#,
        r#"{"ask":"batch","targets":[4]}"#,
    ] {
        let query = flipcost_all::from_json(text).unwrap();
        let stopped = Control::default();
        stopped.stop();
        let control = Control::default();
        let stop = control.clone();
        let control = control.with_progress(move |progress| {
            assert!(progress.done < progress.all);
            stop.stop();
        });
        let is_short = text.contains("plan") || text.contains("[4]");
        for control in [stopped].into_iter().chain((!is_short).then_some(control)) {
            let answered = query.answer(&control);
            assert!(matches!(answered, Err(QueryError::Stopped)), "{text}");
        }
    }
}
