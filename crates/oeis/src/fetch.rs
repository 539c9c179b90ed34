//! Downloads of an entry and its b-file.
//!
//! A process makes one request at a time, with a pause between two, a time-out, a limit on the size
//! and a user agent that says who asks. A file that is on disk and young enough is not downloaded
//! again. A download is checked before it is kept: it must be text, complete, of the right entry,
//! and read by the parser of its format; only then does it replace an older file, in one step.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::{ANumber, OeisFileError, bfile, internal};
use flipcost_question::display_name;

/// The address of the OEIS.
pub const OEIS: &str = "https://oeis.org";

/// The environment variable that names another address, for tests and mirrors.
pub const ADDRESS_VARIABLE: &str = "FLIPCOST_OEIS_URL";

/// Where files come from, where they go, and how patient the download is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    /// The address before `/search?...`; [`OEIS`], or what [`ADDRESS_VARIABLE`] says.
    pub address: String,
    /// The directory for the files, made if it is not there. It serves as the cache.
    pub directory: PathBuf,
    /// A file in the directory that is younger than this is not downloaded again; seven days.
    pub keep: Duration,
    /// The time that one request may take, from looking up the host to the last byte; 30 seconds.
    pub time_out: Duration,
    /// The time between the ends of two requests and the next; two seconds.
    pub pause: Duration,
    /// The largest file that is taken, in bytes; 64 MiB.
    pub max_bytes: u64,
    /// An address under which whoever asks can be reached, put into the user agent; none.
    pub contact: Option<String>,
}

impl FetchOptions {
    /// The usual settings, with the files in `directory`.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        FetchOptions {
            address: std::env::var(ADDRESS_VARIABLE)
                .ok()
                .filter(|address| !address.trim().is_empty())
                .unwrap_or_else(|| OEIS.to_owned()),
            directory: directory.into(),
            keep: Duration::from_secs(7 * 24 * 3600),
            time_out: Duration::from_secs(30),
            pause: Duration::from_secs(2),
            max_bytes: 64 << 20,
            contact: None,
        }
    }

    /// The user agent of the requests: `flipcost/0.1.0`, and the contact in parentheses.
    pub fn user_agent(&self) -> String {
        let name = concat!("flipcost/", env!("CARGO_PKG_VERSION"));
        match &self.contact {
            Some(contact) => format!("{name} (+{contact})"),
            None => name.to_owned(),
        }
    }
}

/// Why a download failed; the files on disk are as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// No connection could be made.
    #[error(
        "{url} cannot be reached ({cause}): there may be no network; check the address or try later."
    )]
    Unreachable {
        /// Its address.
        url: String,
        /// What the network said.
        cause: String,
    },
    /// The answer took too long.
    #[error("{url} did not answer within {seconds} seconds; try later.")]
    TimeOut {
        /// Its address.
        url: String,
        /// The time-out, in seconds, rounded up.
        seconds: u64,
    },
    /// The server answered with something other than 200.
    #[error("{url} answered with status {status}; 200 is needed.")]
    Status {
        /// Its address.
        url: String,
        /// The status.
        status: u16,
    },
    /// The connection ended before the answer did.
    #[error("{url} was cut off ({cause}); nothing was kept, try again.")]
    CutOff {
        /// Its address.
        url: String,
        /// What was missing.
        cause: String,
    },
    /// The answer is larger than the limit.
    #[error("{url} is larger than {limit} bytes; nothing was kept.")]
    TooLarge {
        /// Its address.
        url: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The answer is something other than text.
    #[error("{url} answered with {what}; plain text is needed, so nothing was kept.")]
    NotText {
        /// Its address.
        url: String,
        /// What came instead.
        what: String,
    },
    /// The answer is text, but not of the right format or not of the right entry.
    #[error("{0}")]
    Unusable(#[from] OeisFileError),
    /// The file could not be written.
    #[error("{file} cannot be written ({cause}).")]
    Disk {
        /// The file.
        file: String,
        /// What the operating system said.
        cause: std::io::Error,
    },
}

/// A file that is there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was there already and was not downloaded.
    pub from_cache: bool,
}

/// An entry and its b-file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The entry in internal format, `A136043.seq`.
    pub entry: FetchedFile,
    /// The b-file, `b136043.txt`.
    pub b_file: FetchedFile,
}

/// Downloads the entry `a_number` and its b-file into `options.directory`.
///
/// # Errors
/// A [`FetchError`] if the network, the server, what it sent or the disk fail; files that were
/// there stay as they were.
pub fn fetch(a_number: ANumber, options: &FetchOptions) -> Result<Fetched, FetchError> {
    fs::create_dir_all(&options.directory).map_err(|cause| disk(&options.directory, cause))?;
    let address = options.address.trim_end_matches('/');
    let entry = fetch_file(
        &format!("{address}/search?q=id:{a_number}&fmt=text"),
        &options.directory.join(format!("{a_number}.seq")),
        options,
        |url, bytes| {
            let entries = internal::parse(url, bytes)?;
            let there = entries.iter().any(|entry| entry.a_number == Some(a_number));
            there.then_some(()).ok_or_else(|| {
                OeisFileError::whole_file(
                    url,
                    format!("the answer does not hold {a_number}"),
                    "an answer with the entry asked for is needed",
                )
            })
        },
    )?;
    let name = a_number.b_file_name();
    let b_file = fetch_file(
        &format!("{address}/{a_number}/{name}"),
        &options.directory.join(&name),
        options,
        |url, bytes| bfile::parse(url, bytes).map(|_| ()),
    )?;
    Ok(Fetched { entry, b_file })
}

fn disk(path: &Path, cause: std::io::Error) -> FetchError {
    FetchError::Disk {
        file: display_name(path),
        cause,
    }
}

fn fetch_file(
    url: &str,
    path: &Path,
    options: &FetchOptions,
    accept: impl Fn(&str, &[u8]) -> Result<(), OeisFileError>,
) -> Result<FetchedFile, FetchError> {
    let fetched = |from_cache| FetchedFile {
        path: path.to_owned(),
        from_cache,
    };
    let age = fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok());
    if age.is_some_and(|age| age < options.keep) {
        return Ok(fetched(true));
    }
    let bytes = download(url, options)?;
    accept(url, &bytes)?;
    let mut file = tempfile::NamedTempFile::new_in(&options.directory)
        .map_err(|cause| disk(&options.directory, cause))?;
    file.write_all(&bytes)
        .and_then(|()| file.as_file().sync_all())
        .map_err(|cause| disk(path, cause))?;
    file.persist(path)
        .map_err(|error| disk(path, error.error))?;
    Ok(fetched(false))
}

/// The end of the last request of this process; whoever holds it may send the next.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

fn download(url: &str, options: &FetchOptions) -> Result<Vec<u8>, FetchError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rest) = last.and_then(|end| options.pause.checked_sub(end.elapsed())) {
        std::thread::sleep(rest);
    }
    let outcome = request(url, options);
    *last = Some(Instant::now());
    outcome
}

fn request(url: &str, options: &FetchOptions) -> Result<Vec<u8>, FetchError> {
    // A server on this machine is not behind the proxy of the environment.
    let here = ["//127.0.0.1", "//localhost", "//[::1]"];
    let local = here.iter().any(|host| url.contains(host));
    let mut config = ureq::Agent::config_builder();
    if local {
        config = config.proxy(None);
    }
    let agent = config
        .user_agent(options.user_agent())
        .accept("text/plain")
        .timeout_global(Some(options.time_out))
        .http_status_as_error(false)
        .max_redirects(3)
        .max_idle_connections(0)
        .build()
        .new_agent();
    let mut response = agent
        .get(url)
        .call()
        .map_err(|error| failure(url, options, error, false))?;
    let status = response.status().as_u16();
    if status != 200 {
        return Err(FetchError::Status {
            url: url.to_owned(),
            status,
        });
    }
    let not_text = |what: String| FetchError::NotText {
        url: url.to_owned(),
        what,
    };
    if let Some(kind) = response.body().mime_type()
        && kind != "text/plain"
    {
        return Err(not_text(kind.to_owned()));
    }
    let bytes = response
        .body_mut()
        .with_config()
        .limit(options.max_bytes)
        .read_to_vec()
        .map_err(|error| failure(url, options, error, true))?;
    if bytes.contains(&0) || std::str::from_utf8(&bytes).is_err() {
        return Err(not_text("binary data".to_owned()));
    }
    if bytes.trim_ascii_start().starts_with(b"<") {
        return Err(not_text("a web page".to_owned()));
    }
    if !bytes.ends_with(b"\n") {
        return Err(FetchError::CutOff {
            url: url.to_owned(),
            cause: "the last line has no end".to_owned(),
        });
    }
    Ok(bytes)
}

fn failure(url: &str, options: &FetchOptions, error: ureq::Error, in_body: bool) -> FetchError {
    let url = url.to_owned();
    match error {
        ureq::Error::Timeout(_) => FetchError::TimeOut {
            url,
            seconds: options.time_out.as_millis().div_ceil(1000) as u64,
        },
        ureq::Error::BodyExceedsLimit(limit) => FetchError::TooLarge { url, limit },
        error if in_body => FetchError::CutOff {
            url,
            cause: error.to_string(),
        },
        error => FetchError::Unreachable {
            url,
            cause: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    const ENTRY: &str = "# Greetings\n\nSearch: id:a136043\nShowing 1-1 of 1\n\n%I A136043\n\
                         %S A136043 1,1,1,1,2\n%N A136043 Periods.\n%K A136043 nonn\n%O A136043 1,5\n\n\
                         # Content\n";
    const B_FILE: &str = "1 1\n2 1\n3 1\n4 1\n5 2\n";

    /// A server on loopback that gives one of `answers` to each request in turn, after `delay`, and
    /// hands back the requests as it got them.
    fn server(answers: Vec<Vec<u8>>, delay: Duration) -> (String, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let handle = std::thread::spawn(move || {
            let mut requests = Vec::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut request).is_ok_and(|got| got > 2) {}
                requests.push(request);
                std::thread::sleep(delay);
                // The client may have hung up already, which is its right.
                let _ = stream.write_all(&answer);
            }
            requests
        });
        (address, handle)
    }

    fn answer(kind: &str, body: &str) -> Vec<u8> {
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )
        .into_bytes()
    }

    fn options(address: &str, directory: &Path) -> FetchOptions {
        FetchOptions {
            address: address.to_owned(),
            time_out: Duration::from_secs(10),
            pause: Duration::ZERO,
            ..FetchOptions::new(directory)
        }
    }

    fn periods() -> ANumber {
        "A136043".parse().unwrap()
    }

    /// The error that one answer gives, and that nothing was left on disk.
    fn refused(answer: Vec<u8>) -> FetchError {
        let directory = tempfile::tempdir().unwrap();
        let (address, handle) = server(vec![answer], Duration::ZERO);
        let mut options = options(&address, directory.path());
        options.max_bytes = 10_000;
        let error = fetch(periods(), &options).unwrap_err();
        handle.join().unwrap();
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            0,
            "{error}"
        );
        error
    }

    #[test]
    fn an_entry_and_its_b_file_arrive_and_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let answers = vec![
            answer("text/plain; charset=utf-8", ENTRY),
            answer("text/plain", B_FILE),
        ];
        let (address, handle) = server(answers, Duration::ZERO);
        let options = options(&(address + "/"), directory.path());
        let fetched = fetch(periods(), &options).unwrap();
        assert!(!fetched.entry.from_cache && !fetched.b_file.from_cache);
        assert_eq!(fs::read_to_string(&fetched.entry.path).unwrap(), ENTRY);
        assert_eq!(
            fs::read_to_string(directory.path().join("b136043.txt")).unwrap(),
            B_FILE
        );
        let requests = handle.join().unwrap();
        assert!(requests[0].starts_with("GET /search?q=id:A136043&fmt=text HTTP/1.1"));
        assert!(requests[1].starts_with("GET /A136043/b136043.txt HTTP/1.1"));
        let agent = format!("flipcost/{}", env!("CARGO_PKG_VERSION"));
        assert!(requests.iter().all(|request| request.contains(&agent)));
        // The server is gone, and nobody asks it again.
        let again = fetch(periods(), &options).unwrap();
        assert!(again.entry.from_cache && again.b_file.from_cache);
    }

    #[test]
    fn a_status_other_than_200_is_an_error() {
        let error = refused(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec());
        assert!(
            matches!(error, FetchError::Status { status: 404, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_slow_server_is_given_up() {
        let directory = tempfile::tempdir().unwrap();
        let late = vec![answer("text/plain", ENTRY)];
        let (address, handle) = server(late, Duration::from_millis(1500));
        let mut options = options(&address, directory.path());
        options.time_out = Duration::from_millis(200);
        let error = fetch(periods(), &options).unwrap_err();
        assert!(
            matches!(error, FetchError::TimeOut { seconds: 1, .. }),
            "{error}"
        );
        handle.join().unwrap();
    }

    #[test]
    fn an_answer_that_is_cut_off_is_not_kept() {
        let whole = answer("text/plain", ENTRY);
        let error = refused(whole[..whole.len() - 40].to_vec());
        assert!(matches!(error, FetchError::CutOff { .. }), "{error}");
        // Without a length only the missing end of the last line tells.
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n";
        let error = refused([head, &ENTRY[..ENTRY.len() - 3]].concat().into_bytes());
        assert!(matches!(error, FetchError::CutOff { .. }), "{error}");
        let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n%I A1";
        let error = refused(chunk.as_bytes().to_vec());
        assert!(matches!(error, FetchError::CutOff { .. }), "{error}");
    }

    #[test]
    fn what_is_not_the_right_text_is_not_kept() {
        let error = refused(answer("text/html", "<html></html>\n"));
        assert!(matches!(error, FetchError::NotText { .. }), "{error}");
        let error = refused(answer("text/plain", "<!DOCTYPE html>\n"));
        assert!(matches!(error, FetchError::NotText { .. }), "{error}");
        let error = refused(answer("text/plain", "%I A136043\n\0\n"));
        assert!(matches!(error, FetchError::NotText { .. }), "{error}");
        let error = refused(answer("text/plain", "# Greetings\n\nNo results.\n"));
        assert!(matches!(error, FetchError::Unusable(_)), "{error}");
        let error = refused(answer("text/plain", &ENTRY.replace("A136043", "A136044")));
        assert!(
            error.to_string().contains("does not hold A136043"),
            "{error}"
        );
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let large = "# x\n".repeat(5000);
        let error = refused(answer("text/plain", &large));
        assert!(
            matches!(error, FetchError::TooLarge { limit: 10_000, .. }),
            "{error}"
        );
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
        let error = refused([head, &large].concat().into_bytes());
        assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn without_a_server_the_sentence_speaks_of_the_network() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let directory = tempfile::tempdir().unwrap();
        let error = fetch(periods(), &options(&address, directory.path())).unwrap_err();
        assert!(matches!(error, FetchError::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains("there may be no network"));
    }
}
