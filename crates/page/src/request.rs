//! Parses the head of an HTTP/1.1 request from a browser; unknown headers are ignored.

use crate::MAX_QUESTION_BYTES;

/// The largest head of a request, in bytes; it contains the requested address.
pub const MAX_HEAD_BYTES: usize = 8192;

/// The largest number of headers.
const MAX_HEADERS: usize = 64;

/// The outcome of a request: success, or the reason for refusing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The request succeeded.
    Done,
    /// The client already has the current version of the file.
    Unchanged,
    /// The bytes are not an HTTP/1.1 request.
    Malformed,
    /// The request comes from another site, or is meant for another host.
    Foreign,
    /// There is no such file.
    Missing,
    /// The method is not the expected one.
    Method,
    /// The request did not arrive in time.
    Late,
    /// The length of the body is missing.
    Length,
    /// The head or the body is too large.
    Large,
    /// The question is not UTF-8 text.
    Text,
    /// The question has no answer.
    Refused,
    /// Too many questions are being answered.
    Busy,
    /// The question takes too much memory.
    Memory,
    /// The program failed.
    Fault,
}

impl Status {
    /// Returns the status line of HTTP.
    pub fn status_line(self) -> &'static str {
        match self {
            Status::Done => "200 OK",
            Status::Unchanged => "304 Not Modified",
            Status::Malformed | Status::Text => "400 Bad Request",
            Status::Foreign => "403 Forbidden",
            Status::Missing => "404 Not Found",
            Status::Method => "405 Method Not Allowed",
            Status::Late => "408 Request Timeout",
            Status::Length => "411 Length Required",
            Status::Large => "413 Content Too Large",
            Status::Refused => "422 Unprocessable Content",
            Status::Busy => "429 Too Many Requests",
            Status::Fault => "500 Internal Server Error",
            Status::Memory => "503 Service Unavailable",
        }
    }

    /// Returns a sentence that says what is wrong, or what was expected.
    pub fn sentence(self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::Unchanged => "the file has not changed",
            Status::Malformed => "this is not an HTTP/1.1 request",
            Status::Foreign => {
                "only pages of this server may ask it, by the address that it printed"
            }
            Status::Missing => "there is no such file",
            Status::Method => "files are read by GET, questions are asked by POST",
            Status::Late => "the request did not arrive in time",
            Status::Length => "a question needs a Content-Length",
            Status::Large => "an address has at most 8 kB and a question at most 64 kB",
            Status::Text => "a question must be JSON in UTF-8, but this is not UTF-8",
            Status::Refused => "the question has no answer",
            Status::Busy => "too many questions at once: try again when one is answered",
            Status::Memory => {
                "the question takes more memory than the server has left: ask it in a terminal"
            }
            Status::Fault => "the engine failed on this question, which is a fault of flipcost",
        }
    }
}

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestHead {
    /// The method: GET, HEAD, POST, ...
    pub method: String,
    /// The path, without a `?` and the text after it.
    pub path: String,
    /// The host that the request names.
    pub host: Option<String>,
    /// The site that sends the request, if the browser states it.
    pub origin: Option<String>,
    /// The number of bytes of the body.
    pub length: usize,
    /// Whether the client waits for a signal to continue before it sends the body.
    pub waits: bool,
    /// The client's name for its question, under which it asks for the progress.
    pub name: Option<String>,
    /// Whether a browser opens a page; otherwise a program or a page asks a question.
    pub opens_page: bool,
    /// Whether the client accepts gzip.
    pub unpacks: bool,
    /// The entity tag of the file that the client has.
    pub known: Option<String>,
    /// The number of bytes of the head itself, including its empty line.
    pub bytes: usize,
}

/// Parses the head of a request at the beginning of some bytes; `None` if the head is incomplete.
///
/// # Errors
/// The [`Status`] with which the request is refused: 400, 411 or 413.
pub fn read_head(bytes: &[u8]) -> Result<Option<RequestHead>, Status> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let end = match request.parse(bytes) {
        Ok(httparse::Status::Complete(end)) if end <= MAX_HEAD_BYTES => end,
        Ok(httparse::Status::Complete(_)) => return Err(Status::Large),
        Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD_BYTES => return Ok(None),
        Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Status::Large);
        }
        Err(_) => return Err(Status::Malformed),
    };
    let (Some(method), Some(path)) = (request.method, request.path) else {
        return Err(Status::Malformed);
    };
    let header = |name: &str| -> Result<Option<String>, Status> {
        let mut found = None;
        for header in request.headers.iter() {
            if !header.name.eq_ignore_ascii_case(name) {
                continue;
            }
            let value = std::str::from_utf8(header.value).map_err(|_| Status::Malformed)?;
            // Two different values would be ambiguous.
            if found.replace(value.trim().to_string()).is_some() {
                return Err(Status::Malformed);
            }
        }
        Ok(found)
    };
    if header("transfer-encoding")?.is_some() {
        return Err(Status::Length);
    }
    let length = match header("content-length")? {
        None if method == "POST" => return Err(Status::Length),
        None => 0,
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            // A length that does not fit in a word is also too large.
            let length = text.parse().unwrap_or(usize::MAX);
            if length <= MAX_QUESTION_BYTES {
                length
            } else {
                return Err(Status::Large);
            }
        }
        Some(_) => return Err(Status::Malformed),
    };
    let plain = |name: &String| {
        (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    // An address in absolute form names the host itself, and this name overrides the header.
    let absolute = path.split_at_checked(7);
    let absolute = absolute.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("http://"));
    let (named, path) = absolute.map_or((None, path), |(_, rest)| {
        let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        (Some(host.to_string()), path)
    });
    let path = path.split('?').next().unwrap_or_default();
    let host = header("host")?;
    Ok(Some(RequestHead {
        method: method.to_string(),
        path: if path.is_empty() { "/" } else { path }.to_string(),
        host: named.or(host),
        origin: header("origin")?,
        length,
        waits: header("expect")?.is_some_and(|value| value.eq_ignore_ascii_case("100-continue")),
        name: header("x-question")?.filter(plain),
        opens_page: header("accept")?.is_some_and(|all| all.contains("text/html")),
        unpacks: header("accept-encoding")?
            .is_some_and(|all| all.split([',', ' ']).any(|one| one == "gzip")),
        known: header("if-none-match")?,
        bytes: end,
    }))
}

impl RequestHead {
    /// Returns whether the request was meant for this server, at this port, and was sent by one of
    /// its own pages. A foreign host means that another site's name leads to this machine; a
    /// foreign origin means that a page of another site sent the request.
    pub fn is_from_own_page(&self, names: &[String]) -> bool {
        let ours = |name: &str| names.iter().any(|ours| ours.eq_ignore_ascii_case(name));
        let host = self.host.as_deref().is_some_and(ours);
        let origin = match self.origin.as_deref() {
            None => true,
            Some(origin) => origin.strip_prefix("http://").is_some_and(ours),
        };
        host && origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn head(lines: &str) -> Result<Option<RequestHead>, Status> {
        read_head(lines.replace('\n', "\r\n").as_bytes())
    }

    #[test]
    fn a_question_is_parsed() {
        let text = "POST /ask?x HTTP/1.1\nHost: localhost:7\nContent-Length: 12\nExpect: 100-continue\nX-Question: a1\n\nrest";
        let head = head(text).unwrap().unwrap();
        assert_eq!((head.method.as_str(), head.path.as_str()), ("POST", "/ask"));
        assert_eq!((head.length, head.waits), (12, true));
        assert_eq!(head.name.as_deref(), Some("a1"));
        assert!(head.is_from_own_page(&["LOCALHOST:7".to_string()]));
        assert!(!head.is_from_own_page(&["localhost:8".to_string()]));
    }

    #[test]
    fn an_absolute_address_overrides_the_host() {
        let ours = |address: &str, host: &str| {
            let text = format!("GET {address} HTTP/1.1\nHost: {host}\n\n");
            let head = head(&text).unwrap().unwrap();
            (
                head.is_from_own_page(&["localhost:7".to_string()]),
                head.path,
            )
        };
        let here = "localhost:7";
        assert_eq!(ours("http://localhost:7", here), (true, "/".into()));
        assert_eq!(ours("HTTP://LocalHost:7/a?b", here), (true, "/a".into()));
        assert_eq!(ours("http://localhost:7?/a", here), (true, "/".into()));
        // the host in the address overrides the header
        assert!(!ours("http://elsewhere:7/", here).0 && ours("http://localhost:7/", "x").0);
    }

    #[test]
    fn invalid_heads_are_refused() {
        for (text, status) in [
            ("GET\n\n", Status::Malformed),
            ("POST /ask HTTP/1.1\nHost: x\n\n", Status::Length),
            (
                "POST /ask HTTP/1.1\nTransfer-Encoding: chunked\n\n",
                Status::Length,
            ),
            (
                "POST /ask HTTP/1.1\nContent-Length: 65537\n\n",
                Status::Large,
            ),
            (
                "POST /ask HTTP/1.1\nContent-Length: 99999999999999999999999\n\n",
                Status::Large,
            ),
            (
                "POST /ask HTTP/1.1\nContent-Length: +1\n\n",
                Status::Malformed,
            ),
            (
                "POST /ask HTTP/1.1\nContent-Length: \n\n",
                Status::Malformed,
            ),
            (
                "POST / HTTP/1.1\nContent-Length: 1\nContent-Length: 2\n\n",
                Status::Malformed,
            ),
            ("GET / HTTP/1.1\nHost: a\nHost: b\n\n", Status::Malformed),
        ] {
            assert_eq!(head(text), Err(status), "{text}");
        }
        let long = format!("GET /{} HTTP/1.1\n\n", "x".repeat(MAX_HEAD_BYTES));
        assert_eq!(head(&long), Err(Status::Large));
        assert_eq!(head("GET / HTTP/1.1\nHost: a\n"), Ok(None));
    }

    proptest! {
        /// For any bytes, the parser returns a head, asks for more bytes, or refuses them. A head
        /// stays within its limits and does not depend on the bytes that follow it.
        #[test]
        fn any_bytes_are_parsed_or_refused(bytes: Vec<u8>, lines in "(GET|POST|PUT) /[ -~]{0,20} HTTP/1.[01]\r\n((Host|Origin|Content-Length|Expect|X-Question): [ -~]{0,20}\r\n){0,5}\r\n") {
            for text in [bytes.clone(), lines.into_bytes()] {
                if let Ok(Some(head)) = read_head(&text) {
                    prop_assert!(head.bytes <= MAX_HEAD_BYTES && head.length <= MAX_QUESTION_BYTES);
                    let mut more = text[..head.bytes].to_vec();
                    more.extend(&bytes);
                    prop_assert_eq!(read_head(&more), Ok(Some(head)));
                }
            }
        }
    }
}
