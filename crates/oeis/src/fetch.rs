//! Downloads an entry of the OEIS and its b-file.
//!
//! A request has a time-out, a limit on the size of the answer, and a user agent that names this
//! program. The answer is checked before it is returned: it must be text, complete and about the
//! right entry, and the parser of its format must accept it.

use super::{ANumber, OeisFileError, bfile, internal};
use std::time::Duration;

/// The address of the OEIS.
pub const OEIS: &str = "https://oeis.org";

/// The longest time that one request may take, from looking up the host to receiving the last byte.
const TIME_OUT: Duration = Duration::from_secs(30);

/// The size of the largest file that is accepted, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the entry in internal format, from the OEIS or another address.
///
/// # Errors
/// If the network or the server fails, or the answer does not contain the entry.
pub fn entry(address: &str, a_number: ANumber) -> Result<Vec<u8>, OeisFileError> {
    let url = format!("{address}/search?q=id:{a_number}&fmt=text");
    let bytes = download(&url)?;
    let entries = internal::parse(&url, &bytes)?;
    if entries.iter().all(|entry| entry.a_number != a_number) {
        let wrong = format!("the answer does not hold {a_number}");
        return Err(OeisFileError::whole_file(&url, wrong, "try again later"));
    }
    Ok(bytes)
}

/// Returns the b-file of an entry.
///
/// # Errors
/// If the network or the server fails, or the answer is not a b-file.
pub fn b_file(address: &str, a_number: ANumber) -> Result<Vec<u8>, OeisFileError> {
    let url = format!("{address}/{a_number}/{}", a_number.b_file_name());
    let bytes = download(&url)?;
    bfile::parse(&url, &bytes)?;
    Ok(bytes)
}

fn download(url: &str) -> Result<Vec<u8>, OeisFileError> {
    let refuse =
        |wrong: String| OeisFileError::whole_file(url, wrong, "nothing was kept, try again later");
    // A server on this machine is reached directly, not through the proxy of the environment.
    let here = ["//127.0.0.1", "//localhost", "//[::1]"];
    let mut config = ureq::Agent::config_builder();
    if here.iter().any(|host| url.contains(host)) {
        config = config.proxy(None);
    }
    let agent = config
        .user_agent(concat!("flipcost/", env!("CARGO_PKG_VERSION")))
        .accept("text/plain")
        .timeout_global(Some(TIME_OUT))
        .max_redirects(3)
        .build()
        .new_agent();
    let mut response = agent
        .get(url)
        .call()
        .map_err(|error| refuse(format!("there is no answer ({error})")))?;
    let body = response.body_mut().with_config().limit(MAX_BYTES);
    let bytes = body
        .read_to_vec()
        .map_err(|error| refuse(format!("the answer was cut off ({error})")))?;
    let is_page = bytes.trim_ascii_start().starts_with(b"<");
    if is_page || bytes.contains(&0) || std::str::from_utf8(&bytes).is_err() {
        return Err(refuse("the answer is not plain text".to_owned()));
    }
    if !bytes.ends_with(b"\n") {
        return Err(refuse("the answer was cut off".to_owned()));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    const ENTRY: &str = "# Greetings\n\nSearch: id:a136043\nShowing 1-1 of 1\n\n%I A136043\n\
                         %S A136043 1,1,1,1,2\n%N A136043 Periods.\n%K A136043 nonn\n%O A136043 1,5\n\n\
                         # Content\n";
    const B_FILE: &str = "1 1\n2 1\n3 1\n4 1\n5 2\n";

    /// Fetches an entry or a b-file from a local server that gives this answer. Returns the result
    /// and the request.
    fn fetch_from_test_server(answer: &[u8], is_entry: bool) -> (Result<Vec<u8>, String>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::scope(|scope| {
            let server = scope.spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut request).is_ok_and(|got| got > 2) {}
                // The client may have closed the connection already.
                let _ = stream.write_all(answer);
                request
            });
            let number = "A136043".parse().unwrap();
            let ask = if is_entry { entry } else { b_file };
            let got = ask(&address, number).map_err(|error| error.to_string());
            (got, server.join().unwrap())
        })
    }

    fn answer(body: &str) -> Vec<u8> {
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )
        .into_bytes()
    }

    #[test]
    fn an_entry_and_its_b_file_arrive() {
        let (got, request) = fetch_from_test_server(&answer(ENTRY), true);
        assert_eq!(got.unwrap(), ENTRY.as_bytes());
        assert!(request.starts_with("GET /search?q=id:A136043&fmt=text HTTP/1.1"));
        let agent = format!("flipcost/{}", env!("CARGO_PKG_VERSION"));
        assert!(request.contains(&agent));
        let (got, request) = fetch_from_test_server(&answer(B_FILE), false);
        assert_eq!(got.unwrap(), B_FILE.as_bytes());
        assert!(request.starts_with("GET /A136043/b136043.txt HTTP/1.1"));
    }

    #[test]
    fn wrong_responses_are_refused() {
        let whole = answer(ENTRY);
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n";
        let missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        let chunk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n%I A1";
        for (answer, wrong) in [
            (missing.to_vec(), "404"),
            (whole[..whole.len() - 40].to_vec(), "cut off"),
            // Without a stated length, only the missing end of the last line shows that the answer
            // was cut off.
            ([head, &ENTRY[..ENTRY.len() - 3]].concat().into(), "cut off"),
            (chunk.to_vec(), "cut off"),
            (answer("<!DOCTYPE html>\n"), "not plain text"),
            (answer("%I A136043\n\0\n"), "not plain text"),
            (answer("# Greetings\n\nNo results.\n"), "no entry"),
            (
                answer(&ENTRY.replace("A136043", "A136044")),
                "does not hold A136043",
            ),
        ] {
            let (got, _) = fetch_from_test_server(&answer, true);
            let error = got.unwrap_err();
            assert!(error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn a_missing_server_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let error = entry(&address, "A136043".parse().unwrap()).unwrap_err();
        assert!(error.wrong.contains("no answer"), "{error}");
    }
}
