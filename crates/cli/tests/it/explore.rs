//! `explore`: the page as the program serves it, until a signal ends it.
#![cfg(unix)]

use crate::support::{Folder, PROGRAM, check_table, refusal};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// The page on a free port.
struct Page {
    child: Child,
    /// The address that the program printed, without `http://`.
    address: String,
}

impl Page {
    /// Starts this command, and reads the address that it prints.
    fn start(command: &mut Command) -> Page {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let out = child.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").unwrap();
        let address = address.trim_end_matches("/\n").to_string();
        Page { child, address }
    }

    /// Starts the page with this folder for temporary files.
    fn explore(temporary: &Folder) -> Page {
        let mut command = Command::new(PROGRAM);
        let command = command.args(["explore", "--port", "0"]);
        Page::start(command.env("TMPDIR", temporary.path("")))
    }

    fn request(&self, begin: &str, rest: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let address = &self.address;
        write!(stream, "{begin} HTTP/1.1\r\nHost: {address}\r\n{rest}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn get(&self, path: &str) -> String {
        self.request(&format!("GET {path}"), "\r\n")
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let kill = Command::new("kill").args([signal, &id]).status();
        assert!(kill.unwrap().success());
    }

    /// Sends a signal, and returns the exit status.
    fn end(&mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.child.wait().unwrap().code()
    }
}

#[test]
fn the_page_is_served_until_ctrl_c() {
    let mut page = Page::explore(&Folder::new());
    let address = &page.address;
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let body = r#"{"ask":"cost","target":"6","columns":["expected_exact"]}"#;
    let rest = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let answer = page.request("POST /ask", &rest);
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("11/3"),
        "{answer}"
    );
    // The port is now in use, so a second server is refused.
    let port = address.rsplit(':').next().unwrap();
    let said = refusal(&format!("explore --port {port}"));
    assert!(said.contains(&format!("port {port} is taken")), "{said}");
    assert_eq!(page.end("-INT"), Some(130));
    let mut said = String::new();
    page.child
        .stderr
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert!(said.ends_with("interrupted\n"), "{said}");
}

/// The studies are listed, each is computed when it is opened, and when the server ends, it removes
/// them. Earlier versions left them in the folder of temporary files.
#[test]
fn studies_are_computed_when_opened_and_removed_at_the_end() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let folder = Folder::new();
        let mut page = Page::explore(&folder);
        let list = page.get("/studies/list.json");
        assert!(list.contains(r#""name":"vitez/vitez""#), "{list}");
        assert_eq!(folder.names().len(), 1);
        let study = page.get("/studies/vitez/vitez.html");
        assert!(study.starts_with("HTTP/1.1 200 OK"), "{study}");
        assert!(study.contains("<h2>Claims</h2>") && study.contains("reproduced"));
        assert!(
            page.get("/studies/none/none.html")
                .starts_with("HTTP/1.1 404")
        );
        assert_eq!(page.end(signal), Some(status));
        assert!(folder.names().is_empty());
    }
}

/// The program exits even if its last message goes to a closed pipe. Earlier versions did not exit
/// then.
#[test]
fn the_program_exits_even_if_its_output_is_closed() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let mut page = Page::explore(&Folder::new());
        drop(page.child.stderr.take());
        assert_eq!(page.end(signal), Some(status));
    }
}

/// With `nohup`, which makes a process ignore the hang-up signal, the program keeps running, and
/// the exit status is that of the signal that ended it. Earlier versions ended.
#[test]
fn an_ignored_hang_up_does_not_end_the_program() {
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", "trap '' HUP; exec \"$0\" explore --port 0", PROGRAM]);
    let mut page = Page::start(shell);
    page.signal("-HUP");
    assert_eq!(page.end("-TERM"), Some(143));
}

/// `--open` opens the address in the browser that the environment names.
#[test]
#[cfg(target_os = "linux")]
fn the_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let called = folder.path("called");
    let script = format!("#!/bin/sh\nprintf %s \"$1\" >{called}.new\nmv {called}.new {called}\n");
    let browser = folder.write("browser", &script);
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(PROGRAM);
    let command = command.args(["explore", "--port", "0", "--open"]);
    let mut page = Page::start(command.env("BROWSER", &browser));
    while !folder.names().contains(&"called".to_string()) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    page.end("-INT");
    assert_eq!(folder.read("called"), format!("http://{}/", page.address));
}

#[test]
fn explore_refuses_unsuitable_options() {
    check_table(
        "! explore --port 65536 => a number from 0 to 65535 was expected
! explore --memory=1M => such as 500M or 4G
! explore --memory=much => such as 500M or 4G
! explore --memory=-1 => such as 500M or 4G
! explore --memory=nan => such as 500M or 4G",
    );
}
