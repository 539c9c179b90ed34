//! The PARI/GP and Python programs of the entries compute the same terms as the library.
//!
//! They need `gp` and `python3`, which `.ci/pari.sh` installs, so they run only on request: `cargo
//! test --release --package flipcost-oeis --test it programs -- --ignored`.

use flipcost::algorithms::suited_to;
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost::task::{Source, Task};
use flipcost_number::BigInt;
use flipcost_oeis::entry_of_sequence::entry;
use std::io::Write;
use std::process::{Command, Stdio};

const TERMS: u64 = 30;

/// Returns all listed sequences and some unlisted members of their families: means and variances of
/// each algorithm for fair dice, from several even and odd sources, and each listed sequence with
/// source or base 3, with 7 instead.
fn members() -> Vec<Sequence> {
    let mut members = sequences::all();
    for family in ["expected", "variance"] {
        for part in ["numerator", "denominator"] {
            for algorithm in suited_to(&Task::die(6u8, Source::COIN).unwrap()) {
                for source in [2, 3, 5, 6, 10, 12] {
                    let id = algorithm.about().id;
                    let name = format!("{family}-{part}:algorithm={id},source={source}");
                    let member = sequences::find(&name).unwrap();
                    // For some n the bounded algorithm has no law.
                    if member.first(TERMS).is_ok() {
                        members.push(member);
                    }
                }
            }
        }
    }
    let mut more = Vec::new();
    for one in sequences::all() {
        for (given, other) in [("source=3", "source=7"), ("base=3", "base=7")] {
            if one.id().ends_with(given) {
                let found = sequences::find(&one.id().replace(given, other));
                more.extend(found.ok().filter(|one| one.first(count(one)).is_ok()));
            }
        }
    }
    members.extend(more);
    members
}

#[test]
fn every_sequence_has_both_programs() {
    let all = members();
    assert!(all.len() > 250, "{}", all.len());
    for sequence in all {
        let about = entry(&sequence);
        let (id, pari, python) = (sequence.id(), &about.pari, &about.python);
        assert!(pari.is_some() && python.is_some(), "{id}");
        let both = [pari, python].map(|code| code.clone().unwrap());
        assert!(
            both.iter()
                .all(|code| !code.contains("{source}") && !code.contains("{moments}")),
            "{id}"
        );
    }
}

fn count(sequence: &Sequence) -> u64 {
    sequence
        .practical()
        .map_or(TERMS, |most| (most / 2).min(TERMS))
}

/// Returns whether the program defines isok(k), as those of increasing sequences do; the other
/// programs define a(n).
fn is_list(code: &str) -> bool {
    code.contains("isok(")
}

fn compare(program: &str, arguments: &[&str], text: &str, wanted: &[(String, Vec<BigInt>)]) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} is needed: {error}; .ci/pari.sh installs it"));
    let mut input = child.stdin.take().unwrap();
    let text = text.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = printed
        .lines()
        .filter(|line| line.starts_with('['))
        .collect();
    assert_eq!(lines.len(), wanted.len(), "{program} printed {printed}");
    let mut wrong = Vec::new();
    for (line, (id, terms)) in lines.into_iter().zip(wanted) {
        let terms: Vec<String> = terms.iter().map(BigInt::to_string).collect();
        if line != format!("[{}]", terms.join(", ")) {
            wrong.push(format!("{id}: {line}, not {terms:?}"));
        }
    }
    assert!(wrong.is_empty(), "{program}:\n{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs gp: run .ci/pari.sh first"]
fn pari_programs_compute_the_terms() {
    let (mut text, mut wanted) = (String::from("default(colors, \"no\");\n"), Vec::new());
    for sequence in members() {
        let Some(code) = &entry(&sequence).pari else {
            continue;
        };
        let (terms, offset) = (count(&sequence), sequence.offset());
        text.push_str(&format!("{code}\n"));
        text.push_str(&if is_list(code) {
            format!("my(v=[], k=0); while(#v<{terms}, k++; if(isok(k), v=concat(v,k))); print(v)\n")
        } else {
            format!("print(vector({terms}, i, a(i+{offset}-1)))\n")
        });
        wanted.push((sequence.id().to_string(), sequence.first(terms).unwrap()));
    }
    compare("gp", &["-q", "-f", "-s", "512M"], &text, &wanted);
}

#[test]
#[ignore = "needs python3: run .ci/pari.sh first"]
fn python_programs_compute_the_terms() {
    let (mut text, mut wanted) = (String::new(), Vec::new());
    for sequence in members() {
        let Some(code) = &entry(&sequence).python else {
            continue;
        };
        let (terms, offset) = (count(&sequence), sequence.offset());
        text.push_str(&format!("{code}\n\n"));
        text.push_str(&if is_list(code) { format!("v, k = [], 0\nwhile len(v) < {terms}:\n    k += 1\n    if isok(k): v.append(k)\n\nprint(v)\n") } else { format!("print([int(a(i)) for i in range({offset}, {offset} + {terms})])\n") });
        wanted.push((sequence.id().to_string(), sequence.first(terms).unwrap()));
    }
    compare("python3", &["-"], &text, &wanted);
}
