//! Tests the server through a simple client: every status, the headers, and that a question is
//! stopped when its client leaves.
#![cfg(feature = "server")]

use flipcost_page::{MAX_AT_ONCE, MAX_HEAD_BYTES, MAX_QUESTION_BYTES, Server};
use proptest::prelude::*;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// A question that takes about a minute, and can be stopped.
const LONG: &str = r#"{"ask":"roll","test":true,"target":"6","count":1000000000,"seed":1}"#;

fn start(studies: Option<PathBuf>, memory: u64) -> SocketAddr {
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), studies, memory).unwrap();
    let url = server.url();
    let address = url.strip_prefix("http://").unwrap().trim_end_matches('/');
    let address = address.parse().unwrap();
    thread::spawn(|| server.run());
    address
}

/// Sends bytes and reads the response to its end.
fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    // A server that refuses the request may close the connection before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, path: &str) -> String {
    raw(
        address,
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes(),
    )
}

fn request(address: SocketAddr, path: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\n{more}Content-Length: {length}\r\n\r\n{body}"
    )
}

fn post(address: SocketAddr, path: &str, body: &str) -> String {
    raw(address, request(address, path, "", body).as_bytes())
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

/// In earlier versions these questions crashed the server or took twice its memory. Each must get
/// an answer or one sentence, and the server must continue.
#[test]
fn no_question_ends_the_server() {
    let address = start(None, 2 << 30);
    for question in [
        r#"{"ask":"bias","target":"3","words":1,"samples":18446744073709551615}"#,
        r#"{"ask":"bias","target":"2^64","from":"2","samples":288230376151711744}"#,
        r#"{"ask":"verify-that","that":"bias(3, words: 1, samples: 2^64 - 1).advantage_log2 = 0","from":1,"to":1}"#,
        r#"{"ask":"supply","accept":["2^-1000"],"count":256,"failure":["1-2^-5000"],"block":1000000}"#,
        r#"{"ask":"supply","accept":["2^-1000"],"count":256,"at":[1000000],"block":1000000}"#,
        r#"{"ask":"supply","accept":["2^-100000"],"at":[1000000],"block":16777216}"#,
    ] {
        let answer = post(address, "/ask", question);
        assert!(
            ["200", "422", "503"].contains(&status(&answer)),
            "{question}: {answer}"
        );
    }
    let small = post(address, "/ask", r#"{"ask":"cost","target":"6"}"#);
    assert_eq!(status(&small), "200", "{small}");
}

#[test]
fn questions_and_files_are_served() {
    let address = start(None, u64::MAX);
    let question = r#"{"ask":"cost","target":"6","algorithms":["fast-dice-roller"],"columns":["expected_exact"]}"#;
    let answer = post(address, "/ask", question);
    assert_eq!(status(&answer), "200");
    assert!(body(&answer).contains(r#""rows":[["11/3"]]"#), "{answer}");
    let picture = post(
        address,
        "/picture",
        r#"{"ask":"show","view":"flowchart","target":"6"}"#,
    );
    assert!(picture.contains("Content-Type: image/svg+xml") && body(&picture).starts_with("<svg"));
    for (path, kind) in [
        ("/", "text/html"),
        ("/page.js", "text/javascript"),
        ("/style.css", "text/css"),
        ("/views/die.js?x", "text/javascript"),
    ] {
        let file = get(address, path);
        assert_eq!(status(&file), "200", "{path}");
        assert!(file.contains(&format!("Content-Type: {kind}")), "{path}");
        assert!(file.contains("Content-Security-Policy: default-src 'none'"));
        assert!(!file.to_lowercase().contains("access-control"));
    }
    let foot = format!("flipcost {}</p>", env!("CARGO_PKG_VERSION"));
    assert!(get(address, "/").contains(&foot));
    let head = raw(
        address,
        format!("HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes(),
    );
    assert!(status(&head) == "200" && body(&head).is_empty());
    let waits = request(address, "/ask", "Expect: 100-continue\r\n", question);
    assert!(
        raw(address, waits.as_bytes()).starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")
    );
}

#[test]
fn known_files_are_not_sent_again_and_may_be_compressed() {
    let address = start(None, u64::MAX);
    let ask = |more: &str| {
        let text = format!("GET /style.css HTTP/1.1\r\nHost: {address}\r\n{more}\r\n");
        raw(address, text.as_bytes())
    };
    let plain = ask("");
    assert!(!plain.contains("Content-Encoding") && body(&plain).contains(":root"));
    let mark = plain.split("ETag: ").nth(1).unwrap();
    let mark = mark.split("\r\n").next().unwrap();
    let known = ask(&format!("If-None-Match: {mark}\r\n"));
    assert!(status(&known) == "304" && body(&known).is_empty());
    assert_eq!(status(&ask("If-None-Match: \"other\"\r\n")), "200");
    let packed = ask("Accept-Encoding: br, gzip\r\n");
    let bytes = |reply: &str| {
        let length = reply.split("Content-Length: ").nth(1).unwrap();
        let digits = length.split("\r\n").next().unwrap();
        digits.parse::<usize>().unwrap()
    };
    assert!(packed.contains("Content-Encoding: gzip") && bytes(&packed) < bytes(&plain) / 2);
    // A refusal has a failure status for all clients except the page, which names its questions.
    let question = r#"{"ask":"cost","target":"0"}"#;
    assert_eq!(status(&post(address, "/ask", question)), "422");
    let named = request(address, "/ask", "X-Question: q1\r\n", question);
    let named = raw(address, named.as_bytes());
    assert!(status(&named) == "200" && body(&named).starts_with("{\"error\":"));
}

/// A person who types another name of the machine gets a page with the right address. Earlier
/// versions sent one line of JSON.
#[test]
fn a_client_that_uses_another_name_gets_the_address() {
    let address = start(None, u64::MAX);
    let open = |more: &str| {
        let text = format!("GET / HTTP/1.1\r\nHost: my-laptop.local\r\n{more}\r\n");
        raw(address, text.as_bytes())
    };
    let page = open("Accept: text/html,application/xhtml+xml\r\n");
    assert!(
        status(&page) == "403" && page.contains("Content-Type: text/html"),
        "{page}"
    );
    assert!(
        body(&page).contains(&format!("<a href=\"http://{address}/\">")),
        "{page}"
    );
    assert!(body(&open("")).starts_with(r#"{"error":""#));
}

/// When bound to every address, the server used to print 0.0.0.0, and refused clients that used a
/// real address.
#[test]
fn every_address_of_the_machine_is_its_name() {
    let server = Server::bind("0.0.0.0:0".parse().unwrap(), None, u64::MAX).unwrap();
    let url = server.url();
    let shown: SocketAddr = url
        .strip_prefix("http://")
        .and_then(|url| url.trim_end_matches('/').parse().ok())
        .unwrap();
    thread::spawn(|| server.run());
    let local = SocketAddr::new([127, 0, 0, 1].into(), shown.port());
    assert_eq!(status(&get(local, "/")), "200");
    assert_eq!(
        status(&raw(
            local,
            format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", shown.port()).as_bytes()
        )),
        "200"
    );
    assert_eq!(
        status(&raw(
            local,
            b"GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n"
        )),
        "403"
    );
    // Without a network, the machine has no other address.
    if !shown.ip().is_unspecified() {
        assert_eq!(status(&get(shown, "/")), "200", "{shown}");
    }
}

#[test]
fn invalid_requests_are_refused() {
    let address = start(None, u64::MAX);
    let with = |text: &str| text.replace("HOST", &address.to_string());
    for (sent, expected) in [
        ("no request\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\n\r\n", "403"),
        (
            "GET http://rebound.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "403",
        ),
        ("GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "200"),
        (
            "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://other.example\r\n\r\n",
            "403",
        ),
        (
            "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\n\r\n",
            "403",
        ),
        (
            "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\n\r\n",
            "200",
        ),
        ("GET /../Cargo.toml HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
        ("GET /no.js HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"),
        ("GET /ask HTTP/1.1\r\nHost: HOST\r\n\r\n", "405"),
        ("PUT / HTTP/1.1\r\nHost: HOST\r\n\r\n", "405"),
        ("OPTIONS /ask HTTP/1.1\r\nHost: HOST\r\n\r\n", "405"),
        ("POST /ask HTTP/1.1\r\nHost: HOST\r\n\r\n", "411"),
        (
            "POST /ask HTTP/1.1\r\nHost: HOST\r\nContent-Length: 65537\r\n\r\n",
            "413",
        ),
    ] {
        let answer = raw(address, with(sent).as_bytes());
        assert_eq!(status(&answer), expected, "{sent}{answer}");
        if expected != "200" {
            assert!(body(&answer).starts_with(r#"{"error":""#), "{answer}");
        }
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(MAX_HEAD_BYTES));
    assert_eq!(status(&raw(address, long.as_bytes())), "413");
    for question in [
        "",
        "no",
        "{}",
        r#"{"ask":"cost","target":"0"}"#,
        r#"{"ask":"cost","target":"6","file":1}"#,
    ] {
        let answer = post(address, "/ask", question);
        assert_eq!(status(&answer), "422", "{question}");
        assert!(body(&answer).starts_with(r#"{"error":""#));
    }
    assert_eq!(
        status(&post(address, "/picture", r#"{"ask":"cost","target":"6"}"#)),
        "422"
    );
    assert!(
        body(&post(
            address,
            "/ask",
            r#"{"ask":"oeis-check","against":"/etc/passwd"}"#
        ))
        .contains("cannot read a file")
    );
    let mut binary = request(address, "/ask", "", "{?}").into_bytes();
    let place = binary.len() - 2;
    binary[place] = 0xff;
    let answer = raw(address, &binary);
    assert!(
        status(&answer) == "400" && body(&answer).contains("UTF-8"),
        "{answer}"
    );
    let full = " ".repeat(MAX_QUESTION_BYTES);
    assert_eq!(status(&post(address, "/ask", &full)), "422");
}

/// Asks as many questions as can be answered at the same time, and one more, which is refused. Then
/// the clients leave, and soon there is room again.
#[test]
fn too_many_questions_are_refused_until_clients_leave() {
    let address = start(None, u64::MAX);
    let mut open = Vec::new();
    for i in 0..=MAX_AT_ONCE {
        let mut stream = TcpStream::connect(address).unwrap();
        let named = format!("X-Question: q{i}\r\n");
        stream
            .write_all(request(address, "/ask", &named, LONG).as_bytes())
            .unwrap();
        stream.set_nonblocking(true).unwrap();
        open.push(stream);
    }
    // The test does not know which of the questions will arrive last and be refused, so it looks
    // for the refusal among all responses.
    let until = |holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            if holds() {
                return true;
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    };
    let refused = || {
        let answered = |mut stream: &TcpStream| {
            let mut head = [0; 12];
            stream.read_exact(&mut head).is_ok() && head.ends_with(b"429")
        };
        open.iter().filter(|&stream| answered(stream)).count() == 1
    };
    assert!(until(&refused));
    // At least one of them has reported its progress.
    let begun = Instant::now();
    let told = (0..=MAX_AT_ONCE).cycle().find_map(|i| {
        thread::sleep(Duration::from_millis(20));
        let told = get(address, &format!("/progress/q{i}"));
        let late = begun.elapsed() > Duration::from_secs(60);
        (!body(&told).contains(r#""all":0"#) || late).then_some(told)
    });
    let told = told.expect("an endless search");
    assert!(body(&told).contains(r#""all":1000000000"#), "{told}");
    drop(open);
    let small = r#"{"ask":"cost","target":"6"}"#;
    assert!(until(&|| status(&post(address, "/ask", small)) == "200"));
    let over = || body(&get(address, "/progress/q0")) == "{\"done\":0,\"all\":0}\n";
    assert!(until(&over));
}

/// 200 times, a client asks a question and leaves at once. Then a short question must be answered,
/// although some of the abandoned questions take long.
#[test]
fn clients_that_leave_do_not_block_the_server() {
    let address = start(None, u64::MAX);
    let ask = |question: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let sent = request(address, "/ask", "", question);
        stream.write_all(sent.as_bytes()).unwrap();
        stream
    };
    let long_number = r#"{"ask":"cost","target":"1:10^200000","source":"6"}"#;
    let long: Vec<TcpStream> = (0..MAX_AT_ONCE).map(|_| ask(long_number)).collect();
    let small = || status(&post(address, "/ask", r#"{"ask":"cost","target":"6"}"#)) == "200";
    assert!(small());
    drop(long);
    for i in 0..200 {
        ask([LONG, long_number][i % 2]);
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_secs(2));
    let long: Vec<TcpStream> = (0..MAX_AT_ONCE).map(|_| ask(LONG)).collect();
    thread::sleep(Duration::from_secs(2));
    for stream in &long {
        stream.set_nonblocking(true).unwrap();
        let told = (&*stream).read(&mut [0; 99]).unwrap_err();
        assert_eq!(told.kind(), ErrorKind::WouldBlock); // it is still being answered
    }
    assert!(small());
}

/// A question that needs more memory than the server has is refused with a sentence.
#[test]
fn a_question_that_needs_too_much_memory_is_refused() {
    let answer = post(start(None, 1), "/ask", LONG);
    assert_eq!(status(&answer), "503");
    assert!(body(&answer).contains("more memory"), "{answer}");
}

/// 200 connections that each send a byte from time to time do not keep the server from serving the
/// page.
#[test]
fn slow_connections_do_not_block_others() {
    let address = start(None, u64::MAX);
    let connect = |_| TcpStream::connect(address).unwrap();
    let slow: Vec<TcpStream> = (0..200).map(connect).collect();
    for byte in b"GET" {
        for mut stream in &slow {
            let _ = stream.write_all(&[*byte]); // the oldest are closed
        }
        let begun = Instant::now();
        assert_eq!(status(&get(address, "/")), "200");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn studies_are_served_from_their_folder_alone() {
    let folder = std::env::temp_dir().join(format!("flipcost-page-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("in")).unwrap();
    std::fs::write(folder.join("in/index.html"), "<p>here").unwrap();
    std::fs::write(folder.join("out.html"), "out").unwrap();
    let address = start(Some(folder.join("in")), u64::MAX);
    assert_eq!(body(&get(address, "/studies/")), "<p>here");
    for path in [
        "/studies/../out.html",
        "/studies//etc/passwd",
        "/studies/none.html",
        "/studies/.",
    ] {
        assert_eq!(status(&get(address, path)), "404", "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("out.html"), folder.join("in/link.html")).unwrap();
        assert_eq!(status(&get(address, "/studies/link.html")), "404");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(status(&get(start(None, u64::MAX), "/studies/")), "404");
}

/// Sends a head that does not end, and a body that does not arrive.
#[test]
fn late_requests_are_refused() {
    let address = start(None, u64::MAX);
    let halves = [
        format!("GET / HTTP/1.1\r\nHost: {address}\r\n"),
        format!("POST /ask HTTP/1.1\r\nHost: {address}\r\nContent-Length: 9\r\n\r\n{{"),
    ];
    let late = halves.map(|half| thread::spawn(move || raw(address, half.as_bytes())));
    for answer in late {
        let answer = answer.join().unwrap();
        assert_eq!(status(&answer), "408");
        assert!(body(&answer).contains("did not arrive in time"), "{answer}");
    }
}

#[test]
fn a_port_in_use_is_an_error() {
    let address = start(None, u64::MAX);
    let error = Server::bind(address, None, u64::MAX).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// For any bytes that are sent, the response is valid HTTP, and the server continues.
    #[test]
    fn any_bytes_get_a_valid_response(bytes in prop::collection::vec(any::<u8>(), 1..300)) {
        static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| start(None, u64::MAX));
        let address = *ADDRESS;
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(&bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        prop_assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
        let next = get(address, "/");
        prop_assert_eq!(status(&next), "200");
    }
}
