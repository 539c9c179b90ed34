//! Tests of the page as `flipcost explore` serves it, and of the questions that were added for the
//! page.

use crate::support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::queries::{check_round_trip, check_rows_equal_csv};
use support::{refusal, stdout};

/// Starts `flipcost explore` on a free port; returns the process and the address of the page.
fn explore() -> (Child, String) {
    explore_with(&std::env::temp_dir())
}

/// Starts the page as [`explore`] does, with a folder for temporary files.
fn explore_with(temporary: &Path) -> (Child, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("flipcost"))
        .args(["explore", "--port", "0"])
        .env("TMPDIR", temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = child.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let address = line
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches("/\n");
    (child, address.to_string())
}

#[test]
#[cfg(unix)]
fn the_page_is_served_until_ctrl_c() {
    let (mut child, address) = explore();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(&address).unwrap();
    let body = r#"{"ask":"cost","target":"6","columns":["expected_exact"]}"#;
    let length = body.len();
    write!(
        stream,
        "POST /ask HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("11/3"),
        "{answer}"
    );
    // The port is now in use, so a second server is refused.
    let port = address.rsplit(':').next().unwrap();
    let said = refusal(&format!("explore --port {port}"));
    assert!(said.contains(&format!("port {port} is taken")), "{said}");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(said.ends_with("interrupted\n"), "{said}");
}

/// Returns the response to a GET of this path.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// When the server ends, it removes the studies that it computed. Earlier versions left them in the
/// folder of temporary files.
#[test]
#[cfg(unix)]
fn computed_studies_are_removed_at_the_end() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let left = || std::fs::read_dir(folder.path()).unwrap().count();
        let (mut child, address) = explore_with(folder.path());
        assert!(get(&address, "/studies/list.json").starts_with("HTTP/1.1 200 OK"));
        assert_eq!(left(), 1);
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(status));
        assert_eq!(left(), 0);
    }
}

/// The program exits even if its last message goes to a closed pipe. Earlier versions did not exit
/// then.
#[test]
#[cfg(unix)]
fn the_program_exits_even_if_its_output_is_closed() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let (mut child, _) = explore_with(folder.path());
        drop(child.stderr.take());
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let ended = (0..600).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            child.try_wait().unwrap()
        });
        let _ = child.kill();
        assert_eq!(ended.and_then(|ended| ended.code()), Some(status));
    }
}

/// With `nohup`, which makes a process ignore the hang-up signal, the program keeps running.
/// Earlier versions ended.
#[test]
#[cfg(unix)]
fn an_ignored_hang_up_does_not_end_the_program() {
    let program = assert_cmd::cargo::cargo_bin("flipcost");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" explore --port 0"])
        .arg(program)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = child.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let sent = |signal: &str| {
        let id = child.id().to_string();
        let kill = Command::new("kill").args([signal, &id]).status();
        assert!(kill.unwrap().success());
    };
    sent("-HUP");
    sent("-TERM");
    // The exit status is that of the signal that ended the program.
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

/// The studies are listed, and each is computed when it is opened.
#[test]
fn a_study_is_computed_when_it_is_opened() {
    let (mut child, address) = explore();
    let list = get(&address, "/studies/list.json");
    assert!(list.contains(r#""name":"vitez/vitez""#), "{list}");
    let page = get(&address, "/studies/vitez/vitez.html");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("<h2>Claims</h2>") && page.contains("reproduced"));
    assert!(get(&address, "/studies/none/none.html").starts_with("HTTP/1.1 404"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// `--open` opens the address in the browser that the environment names.
#[test]
#[cfg(target_os = "linux")]
fn the_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (browser, called) = (folder.path().join("browser"), folder.path().join("called"));
    let script = format!(
        "#!/bin/sh\nprintf %s \"$1\" >{0}.new\nmv {0}.new {0}\n",
        called.display()
    );
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("flipcost"))
        .args(["explore", "--port", "0", "--open"])
        .env("BROWSER", &browser)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let begun = std::time::Instant::now();
    while !called.exists() && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(std::fs::read_to_string(called).unwrap(), line.trim());
}

#[test]
fn explore_refuses_unsuitable_options() {
    assert!(refusal("explore --port 65536").contains("65536"));
    for size in ["1M", "much", "-1", "nan"] {
        let said = refusal(&format!("explore --memory={size}"));
        assert!(said.contains("such as 500M or 4G"), "{said}");
    }
    assert!(refusal("--query explore").contains("asks no question"));
}

/// Traces the flips HTT for a d6 step by step, as `flipcost roll 6 --input HTT --trace` does, and
/// gives the place of each step in the flow chart.
#[test]
fn given_rolls_are_followed_through_the_chart() {
    let rows = stdout("show 6 --rolls HTT --format csv");
    assert_eq!(
        rows,
        "rolls,face,state,outcome,round,of_round\n\
         0,,\"v = 1, c = 0\",,1,0\n\
         1,H,\"v = 2, c = 0\",,1,1\n\
         2,T,\"v = 4, c = 1\",,1,2\n\
         3,T,,4,1,3\n"
    );
    // TTT is the number 7, which is too large by 7 - 6 = 1; this remainder begins the second round.
    let rows = stdout("show 6 --rolls TTT --format csv");
    assert!(rows.ends_with("3,T,\"v = 2, c = 1\",,2,0\n"), "{rows}");
    // From that state, two more flips give a result or lead back to the same state.
    assert!(stdout("show 6 --rolls TTTHT --format csv").ends_with("5,T,,6,2,2\n"));
    assert!(stdout("show 6 --rolls TTTTT --format csv").ends_with("5,T,\"v = 2, c = 1\",,2,0\n"));
    assert!(stdout("show 1 --rolls= --format csv").ends_with("0,,,1,,\n"));
    // The target has about a million bits, but only the part of the chart that these rolls reach is
    // computed.
    let rows = stdout("show 10^300000 --rolls HTH --format csv");
    assert!(rows.ends_with("3,H,\"v = 8, c = 2\",,1,3\n"), "{rows}");
    assert!(refusal("show 6 --rolls HXT").contains("H (heads) or T (tails)"));
}

/// For a d6, the leaves at depths 3 and 5 have probability 1/8 and 1/32: within 5 flips an outcome
/// is reached with probability 1/8 + 1/32 = 5/32, less than its full probability 1/6.
#[test]
fn leaves_add_up_to_the_outcomes() {
    let rows = stdout("show 6 --as leaves --upto 5 --format csv");
    assert_eq!(rows.lines().count(), 7);
    for line in rows.lines().skip(1) {
        assert!(line.ends_with(",2,5/32,0.15625,1/6"), "{line}");
    }
    // Knuth and Yao's tree of 1:2:3 has a leaf for every binary digit 1 of 1/6, 1/3 and 1/2.
    let rows = stdout("show 1:2:3 --as leaves --upto 4 --format csv");
    let exact: Vec<&str> = rows
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(2).unwrap())
        .collect();
    assert_eq!(exact, ["1/8", "5/16", "1/2"]);
    assert!(refusal("show 10^6 --as leaves --upto 3").contains("100000 outcomes"));
}

/// In an octave, from 2^k to 2^(k+1), the least toll is 0, at 2^k, and the greatest is at 2^k + 1.
/// The records of A136043 up to 100 agree with the sequence.
#[test]
fn extremes_of_the_toll_are_found_in_each_octave() {
    let rows = stdout("toll extremes --from 1024 --to 2047 --parts 1 --format csv");
    assert!(
        rows.lines()
            .nth(1)
            .unwrap()
            .starts_with("1024,2047,0,1024,1.98"),
        "{rows}"
    );
    assert!(rows.contains(",1025,true"));
    let rows = stdout("toll extremes --from 1 --to 100 --parts 1 --of cycle-rounds --format csv");
    let terms = stdout("sequence A136043 --terms 100");
    let most = terms
        .trim()
        .split(", ")
        .map(|term| term.parse::<u64>().unwrap())
        .max()
        .unwrap();
    let row: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[4], most.to_string());
    assert!(refusal("toll extremes --from 5 --to 4").contains("is empty"));
    assert!(refusal("toll extremes --to 2^63").contains("up to 2^62"));
    assert!(refusal("toll extremes --to 10^8 --of cycle-rounds").contains("up to 10^7"));
    assert!(refusal("toll extremes --to 9 --parts 5000").contains("1 to 4096"));
}

#[test]
fn new_questions_are_valid_queries() {
    let lines = [
        "show 6 --rolls HTT",
        "show 7 --source 6 --rolls 6,1",
        "show 6 --as leaves --upto 5 --digits 10",
        "toll extremes --from 3 --to 1000 --parts 8 --of expected",
        "toll extremes --from 10^18 --to 10^18+10^12 --parts 3",
        "decimals 11/3 --digits 7",
    ];
    check_round_trip(&lines);
    check_rows_equal_csv(&lines);
    check_round_trip(&["cite", "cite interval --format bibtex", "cite A136043"]);
    assert_eq!(
        stdout("decimals 11/3 --digits 7 --format csv"),
        "number,decimals\n11/3,3.6666667\n"
    );
    assert!(refusal("decimals 1/3 --digits 20000").contains("10000 is the most"));
}
