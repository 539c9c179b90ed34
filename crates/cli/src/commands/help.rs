//! What `flipcost` and `--help` say beside the arguments: the commands by what they are for, and
//! examples.

use clap::Command;
use std::fmt::Write;

/// Commands that serve one purpose, an example of their use, and their names.
struct Group {
    title: &'static str,
    example: &'static str,
    commands: &'static [&'static str],
}

/// All commands, by purpose.
const GROUPS: &[Group] = &[
    Group {
        title: "At the table",
        example: "flipcost plan 7 --dice 2,6",
        commands: &[
            "roll",
            "plan",
            "recipe",
            "batch",
            "stream",
            "shuffle",
            "bounded",
            "table",
            "flowchart",
            "tree",
            "follow",
            "leaves",
        ],
    },
    Group {
        title: "Exact numbers",
        example: "flipcost cost 6",
        commands: &[
            "cost",
            "compare",
            "distribution",
            "sweep",
            "band",
            "toll-distribution",
            "merge",
            "mr",
            "simulate",
            "law",
            "verify",
            "decimals",
        ],
    },
    Group {
        title: "Machine words and libraries",
        example: "flipcost libraries python",
        commands: &["advise", "libraries", "bias", "frontier"],
    },
    Group {
        title: "Integer sequences and the OEIS",
        example: "flipcost sequence A136043",
        commands: &["sequence", "oeis"],
    },
    Group {
        title: "Pictures and studies",
        example: "flipcost figure toll --to 1000 -o toll.svg",
        commands: &["explore", "figure", "reproduce", "study"],
    },
    Group {
        title: "Models for model checkers",
        example: "flipcost export prism 6",
        commands: &["export", "import"],
    },
    Group {
        title: "Reference and other programs",
        example: "flipcost glossary toll",
        commands: &[
            "algorithms",
            "columns",
            "cite",
            "glossary",
            "ask",
            "completions",
            "man",
            "help",
        ],
    },
];

/// Command lines that stand in the help of a command.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "cost",
        &[
            "cost 6",
            "cost 52! --source 6 --digits 30",
            "cost 6 -a rejection,interval -f csv",
            "cost 6 -c algorithm,expected_exact -f latex",
            "cost 4:7:8",
            "cost 3d6 -a fldr,aldr:K=11,knuth-yao",
            "cost 6 -c \"algorithm,expected - log2(n)\"",
        ],
    ),
    (
        "compare",
        &[
            "compare --sources 2,6 --targets 2..20",
            "compare --sources 2..12 --targets 2..50 -o map.svg",
            "compare --sources 2,6 --weights 1:2:3 --weights 3d6",
        ],
    ),
    (
        "sweep",
        &[
            "sweep --from 1 --to 1000 -a fast-dice-roller -c n,expected,toll",
            "sweep --from 1 --to 10^7 -c cycle_rounds -f b-file -o b.txt",
            "sweep --from 1 --to 10^9 -o big.csv --resume",
            "sweep --from 2 --to 20 --sources 2..6,10 -a interval -c source,n,toll",
            "sweep --weights-file vectors.txt -a fldr,knuth-yao",
        ],
    ),
    ("merge", &["merge part-1.csv part-2.csv -o whole.csv"]),
    (
        "distribution",
        &[
            "distribution 6 -a fast-dice-roller",
            "distribution 6 -a interval --upto 10",
        ],
    ),
    ("bounded", &["bounded --sources 6,10,12 --targets 2..20"]),
    (
        "plan",
        &[
            "plan 7 --dice 2,6",
            "plan 100 --dice polyhedral",
            "plan 13 --dice 6,10 -o plan.md",
            "plan 20 --throw 6,6 --throw 10",
        ],
    ),
    (
        "batch",
        &["batch 4 13 --source 6", "batch 6 --repeat --capacity 1000"],
    ),
    (
        "stream",
        &[
            "stream 6 --states 64",
            "stream 10 --states 60 --source 6",
            "stream 1000 --states 16 --class staged",
            "stream 3 --states 32 --trace --input HTHHTTHTHH --results 2",
        ],
    ),
    (
        "shuffle",
        &[
            "shuffle 52",
            "shuffle 52 --draw 4 --source 6",
            "shuffle 52 -a cpython-randbelow -s word:32",
            "shuffle 1024 --batches -s word:64",
            "shuffle 5 --broken",
            "shuffle 52 --deal --names Ann,Bob,Cy,Di",
            "shuffle 4 --deal --source 6 --input 3,1,6,2",
        ],
    ),
    (
        "roll",
        &[
            "roll 6",
            "roll 20 --source 6 --input 3,1,4,1,5",
            "roll 6 --count 10 --seed 1",
            "roll 1:2:3",
            "roll 3d6 -a fldr --trace",
        ],
    ),
    ("simulate", &["simulate 6 --trials 10^6 --seed 1"]),
    ("recipe", &["recipe 7", "recipe 100 --dice 10"]),
    (
        "law",
        &[
            "law a+b+c --dice 6,6,6",
            "law \"a + 6 * (b % 2)\" --dice 6,6",
            "law a*b --dice 6,6 -o product.svg",
        ],
    ),
    (
        "advise",
        &[
            "advise 6 --coin",
            "advise --bits 256 --dice 6",
            "advise --shuffle 52 --source word:64 --prefer simple",
        ],
    ),
    (
        "bias",
        &[
            "bias 52",
            "bias 6 --words 8 --double",
            "bias 10^9 --words 64 -f json",
        ],
    ),
    (
        "libraries",
        &[
            "libraries",
            "libraries python --target 52",
            "libraries java -f markdown",
        ],
    ),
    (
        "frontier",
        &["frontier 6 --to 16", "frontier 1:2:3 --to 10 -f csv"],
    ),
    ("table", &["table 5", "table 20 --source 6 -f markdown"]),
    ("tree", &["tree 6 --depth 5", "tree 6 -o tree.svg"]),
    (
        "follow",
        &["follow 6 --rolls HTT", "follow 7 --source 6 --rolls 6,6"],
    ),
    (
        "leaves",
        &["leaves 6 --rolls 5", "leaves 1:2:3 --rolls 8 -a fldr"],
    ),
    (
        "band",
        &[
            "band --to 1000 --parts 8",
            "band --from 10^18 --to 10^18+10^12",
            "band --to 10^6 --of cycle-rounds",
        ],
    ),
    (
        "toll-distribution",
        &["toll-distribution", "toll-distribution --at 1,1.5,19/10"],
    ),
    ("explore", &["explore --open", "explore --port 0"]),
    ("flowchart", &["flowchart 6", "flowchart 11 -o chart.svg"]),
    ("mr", &["mr 1/29", "mr e --terms 30 --base 3"]),
    (
        "sequence",
        &[
            "sequence A136043",
            "sequence mr-period:base=3 --terms 100",
            "sequence list period",
        ],
    ),
    (
        "oeis",
        &[
            "oeis check A136043",
            "oeis identify 1,2,1,2,1,1,2",
            "oeis identify 1,1,1,1,2,_,1,1,3",
            "oeis extend A136043 b136043.txt --terms 1000 -o longer.txt",
            "oeis draft cycle-rounds:source=3",
        ],
    ),
    (
        "oeis extend",
        &[
            "oeis extend A136043 b136043.txt",
            "oeis extend A136043 b136043.txt --terms 1000 -o longer.txt",
        ],
    ),
    (
        "oeis check",
        &[
            "oeis check A136043",
            "oeis check --all",
            "oeis check cycle-rounds:source=3 --against b-file.txt",
        ],
    ),
    (
        "oeis identify",
        &[
            "oeis identify 1,1,1,1,2,1,1,1,3",
            "oeis identify --sequence mr-period:base=3 --stripped stripped.gz --names names.gz",
        ],
    ),
    (
        "oeis draft",
        &[
            "oeis draft cycle-rounds:source=3",
            "oeis draft cycle-rounds:source=3 --author \"Ann Example\" -o draft",
        ],
    ),
    (
        "oeis drafts",
        &[
            "oeis drafts -o pack",
            "oeis drafts -o pack --author \"Ann Example\"",
        ],
    ),
    ("oeis fetch", &["oeis fetch A136043 -o entries"]),
    ("sequence list", &["sequence list", "sequence list period"]),
    (
        "verify",
        &[
            "verify toll --to 10^6",
            "verify aldr-toll --sum 40",
            "verify ceil-plus-one --to 10^6 --digest",
            "verify --that \"expected < log2(n) + 2\" -a fast-dice-roller --to 1000",
        ],
    ),
    (
        "figure",
        &[
            "figure toll --to 1000 -o toll.svg",
            "figure \"variance / expected\" -o ratio.svg",
            "figure toll --sources 2,3,6 -a fast-dice-roller -o tolls.svg",
        ],
    ),
    (
        "reproduce",
        &["reproduce", "reproduce vitez", "reproduce --html pages"],
    ),
    (
        "study",
        &["study", "study chart", "study example > mine.toml"],
    ),
    (
        "export",
        &[
            "export prism 6",
            "export jani 6 --source 10 -a interval",
            "export dot 4:7:8 -o chain.dot",
            "export family --folder KY",
        ],
    ),
    (
        "export family",
        &["export family --to 20", "export family --folder KY"],
    ),
    (
        "import",
        &[
            "import drn die.drn",
            "import drn die.drn --law",
            "import prism-explicit die.tra --labels die.lab --rewards die.srew",
        ],
    ),
    ("decimals", &["decimals 11/3", "decimals e --digits 100"]),
    ("algorithms", &["algorithms", "algorithms interval"]),
    ("columns", &["columns"]),
    ("cite", &["cite", "cite interval -f bibtex", "cite A136043"]),
    ("glossary", &["glossary", "glossary toll"]),
    (
        "ask",
        &[
            "ask queries.jsonl",
            "--query cost 6 | flipcost ask -",
            "ask - < queries.jsonl > answers.jsonl",
        ],
    ),
    ("completions", &["completions bash"]),
    ("man", &["man"]),
];

/// What follows the options in the help of all.
const NOTES: &str = "Numbers may be written 1_000_000, 1e6, 10^18+9, 52!/50!, 1/29 or 2^-128, and dice d6 or \
    coin.\nFaces count from 1: heads is face 1, tails is face 2.\n`flipcost COMMAND --help` has \
    examples.\nExit status: 0 done, 1 a check found a mismatch, 2 unusable input or output, 130 \
    interrupted.";

/// The list of commands, by group, each with the first sentence of what it says of itself.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for group in GROUPS {
        writeln!(text, "{} (for example, {}):", group.title, group.example).expect(IN_MEMORY);
        for name in group.commands {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map(ToString::to_string)
                .unwrap_or("Print this message or the help of a command".to_string());
            let indent = " ".repeat(16);
            let options = textwrap::Options::new(80)
                .initial_indent("  ")
                .subsequent_indent(&indent);
            writeln!(
                text,
                "{}",
                textwrap::fill(&format!("{name:12}  {about}"), options)
            )
            .expect(IN_MEMORY);
        }
        text.push('\n');
    }
    text
}

const IN_MEMORY: &str = "memory takes every byte";

/// The command with examples after the help of one below it.
fn with_examples(command: Command, path: &[&str], examples: &str) -> Command {
    match path {
        [] => command.after_help(examples.to_string()),
        [name, below @ ..] => {
            command.mut_subcommand(name, |sub| with_examples(sub, below, examples))
        }
    }
}

/// The command with its groups and examples.
pub fn with_help(mut command: Command) -> Command {
    for (name, lines) in EXAMPLES {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| format!("  flipcost {line}"))
            .collect();
        let examples = format!("Examples:\n{}", lines.join("\n"));
        let path: Vec<&str> = name.split(' ').collect();
        command = with_examples(command, &path, &examples);
    }
    let list = groups(&command);
    command
        .help_template(format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n{{after-help}}\n"
        ))
        .after_help(NOTES)
}

#[cfg(test)]
mod tests {
    use super::super::command;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_one_group_and_has_examples() {
        let all = command();
        let commands: BTreeSet<&str> = all.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|g| g.commands).copied().collect();
        grouped.retain(|name| *name != "help");
        assert_eq!(grouped.len(), commands.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), commands);
        let shown: BTreeSet<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        // the languages of models, whose examples stand with their command
        let languages = ["prism", "jani", "drn", "dot", "prism-explicit"];
        let actions = all.get_subcommands().flat_map(|sub| {
            let name = sub.get_name();
            let actions = (sub.get_subcommands()).map(clap::Command::get_name);
            let actions = actions.filter(|action| !languages.contains(action));
            actions.map(move |action| format!("{name} {action}"))
        });
        let mut wanted: BTreeSet<String> = actions.collect();
        wanted.extend(commands.into_iter().map(String::from));
        assert_eq!(shown, wanted.iter().map(String::as_str).collect());
    }

    #[test]
    fn every_example_is_a_command_line() {
        let lines = EXAMPLES.iter().flat_map(|(_, lines)| lines.iter());
        let lines = lines.map(|line| format!("flipcost {line}"));
        let groups = GROUPS.iter().map(|group| group.example.to_string());
        for line in lines.chain(groups) {
            // what stands in quotes is one word; what the shell makes of a line comes last
            let parts = line.split('"').enumerate();
            let words = parts.flat_map(|(i, part)| match i % 2 {
                1 => vec![part],
                _ => part.split_whitespace().collect(),
            });
            let of_shell = |word: &&str| !["|", "<", ">"].contains(word);
            let parsed = command().try_get_matches_from(words.take_while(of_shell));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn the_list_fits_80_letters() {
        for line in command().render_help().to_string().lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        for line in groups(&command()).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
