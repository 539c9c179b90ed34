//! The page on a port of this machine: HTTP/1.1, one request a connection, a thread for each.
//!
//! The sockets are those of the standard library, because a question is stopped when the one who asked
//! it goes away, which only the socket itself tells. httparse reads the heads.

use crate::{Form, Head, LARGEST_HEAD, Reply, Status, read_head, reply};
use flipcost_query::{Control, Progress};
use include_dir::{Dir, include_dir};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The files of the page.
pub static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/page");

/// At most this many questions are answered at once; the next ones are told to wait.
pub const MOST_AT_ONCE: usize = 8;

/// At most this many connections are open at once.
const MOST_CONNECTIONS: usize = 64;

/// A request arrives, and is taken, within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// A question is stopped after this time.
const LONGEST: Duration = Duration::from_secs(300);

/// How often it is looked whether the one who asked is still there.
const LOOK: Duration = Duration::from_millis(100);

/// What may run, load and connect on the page: its own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page on a port.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What the connections share.
struct Shared {
    /// The hosts, with the port, by which the server may be called.
    names: Vec<String>,
    /// A folder that is served below `/studies/`.
    studies: Option<PathBuf>,
    connections: AtomicUsize,
    questions: AtomicUsize,
    /// How far the questions have come that have a name.
    progress: Mutex<HashMap<String, Progress>>,
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, HashMap<String, Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of at most so many; given back when it is dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(count: &'a AtomicUsize, most: usize) -> Option<Place<'a>> {
        let free = |taken: usize| (taken < most).then_some(taken + 1);
        let taken = count.fetch_update(Ordering::AcqRel, Ordering::Acquire, free);
        taken.ok().map(|_| Place(count))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Server {
    /// Takes a port of an address; port 0 is any that is free. `studies` is a folder of static pages
    /// that is served below `/studies/`.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub fn bind(address: SocketAddr, studies: Option<PathBuf>) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let port = address.port();
        let own = match address.ip() {
            IpAddr::V6(ip) => format!("[{ip}]"),
            ip => ip.to_string(),
        };
        let mut names = vec![format!("{own}:{port}")];
        if address.ip().is_loopback() {
            names.push(format!("localhost:{port}"));
        }
        if port == 80 {
            let short: Vec<String> = names
                .iter()
                .filter_map(|name| Some(name.strip_suffix(":80")?.to_string()))
                .collect();
            names.extend(short);
        }
        let shared = Shared {
            names,
            studies,
            connections: AtomicUsize::new(0),
            questions: AtomicUsize::new(0),
            progress: Mutex::default(),
        };
        Ok(Server {
            listener,
            address,
            shared: Arc::new(shared),
        })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves the page until the process ends.
    pub fn run(self) -> ! {
        loop {
            // A client that left, or no file to be had: the next one may be served.
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(LOOK);
                continue;
            };
            let shared = Arc::clone(&self.shared);
            // Without a thread to spare the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                let connections = &shared.connections;
                match Place::take(connections, MOST_CONNECTIONS) {
                    Some(_place) => serve(stream, &shared),
                    None => say(stream, Status::Busy),
                }
            });
        }
    }
}

/// What is sent back.
struct Response {
    status: Status,
    media_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    fn refusal(status: Status) -> Response {
        let reply = Reply::refused(status.sentence());
        Response {
            status,
            media_type: reply.media_type(),
            body: reply.body,
        }
    }

    /// What a question got; `None` is a fault.
    fn answer(reply: Option<Reply>) -> Response {
        let Some(reply) = reply else {
            return Response::refusal(Status::Fault);
        };
        Response {
            status: match reply.is_answered() {
                true => Status::Done,
                false => Status::Refused,
            },
            media_type: reply.media_type(),
            body: reply.body,
        }
    }

    fn file(path: &str, body: Vec<u8>) -> Response {
        Response {
            status: Status::Done,
            media_type: media_type(path),
            body,
        }
    }

    /// A client that went away is not told.
    fn send(&self, mut stream: &TcpStream, without_body: bool) {
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cache-Control: no-cache\r\nConnection: close\r\n\r\n",
            self.status.line(),
            self.media_type,
            self.body.len(),
        );
        let body: &[u8] = if without_body { &[] } else { &self.body };
        let _ = stream.write_all(&[head.as_bytes(), body].concat());
    }
}

/// Refuses a connection.
fn say(stream: TcpStream, status: Status) {
    let _ = stream.set_write_timeout(Some(PATIENCE));
    Response::refusal(status).send(&stream, false);
    leave(&stream);
}

/// Closes a connection. What the client still sends is taken first, or its system would throw away the
/// response with it.
fn leave(mut stream: &TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(LOOK));
    let mut rest = [0; 4096];
    for _ in 0..64 {
        match stream.read(&mut rest) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

fn serve(stream: TcpStream, shared: &Shared) {
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let _ = stream.set_nodelay(true);
    let (response, without_body) = match receive(&stream, shared) {
        Ok((head, body)) => (
            respond(&head, &body, &stream, shared),
            head.method == "HEAD",
        ),
        Err(status) => (Response::refusal(status), false),
    };
    response.send(&stream, without_body);
    leave(&stream);
}

/// Reads a request; one that is not for us is refused before its body is read.
fn receive(stream: &TcpStream, shared: &Shared) -> Result<(Head, Vec<u8>), Status> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let more = |bytes: &mut Vec<u8>| {
        let left = PATIENCE.checked_sub(begun.elapsed());
        let left = left.filter(|left| !left.is_zero()).ok_or(Status::Late)?;
        let _ = stream.set_read_timeout(Some(left));
        let mut part = [0; 4096];
        match (&mut &*stream).read(&mut part) {
            Ok(0) => Err(Status::Malformed), // it ends too early
            Ok(count) => {
                bytes.extend_from_slice(&part[..count]);
                Ok(())
            }
            Err(error) if is_pause(&error) => Err(Status::Late),
            Err(_) => Err(Status::Malformed),
        }
    };
    let head = loop {
        match read_head(&bytes[..bytes.len().min(LARGEST_HEAD)])? {
            Some(head) => break head,
            None => more(&mut bytes)?,
        }
    };
    if !head.is_ours(&shared.names) {
        return Err(Status::Foreign);
    }
    if head.waits {
        let _ = (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
    }
    let end = head.bytes + head.length;
    while bytes.len() < end {
        more(&mut bytes)?;
    }
    let body = bytes[head.bytes..end].to_vec();
    Ok((head, body))
}

/// Nothing came in the time that was given.
fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn respond(head: &Head, body: &[u8], stream: &TcpStream, shared: &Shared) -> Response {
    let reads = head.method == "GET" || head.method == "HEAD";
    let form = match head.path.as_str() {
        "/ask" => Form::Answer,
        "/picture" => Form::Picture,
        _ if !reads => return Response::refusal(Status::Method),
        path => return found(path, shared).unwrap_or(Response::refusal(Status::Missing)),
    };
    if head.method != "POST" {
        return Response::refusal(Status::Method);
    }
    let Some(_place) = Place::take(&shared.questions, MOST_AT_ONCE) else {
        return Response::refusal(Status::Busy);
    };
    let Ok(text) = std::str::from_utf8(body) else {
        return Response::refusal(Status::Refused);
    };
    let named = Named::new(head.name.clone(), shared);
    Response::answer(watched(stream, &named, |control| {
        reply(text, form, control)
    }))
}

/// A question whose progress others may ask for, until it is dropped.
struct Named<'a> {
    name: Option<String>,
    latest: Arc<Mutex<Option<Progress>>>,
    shared: &'a Shared,
}

impl<'a> Named<'a> {
    fn new(name: Option<String>, shared: &'a Shared) -> Named<'a> {
        Named {
            name,
            latest: Arc::default(),
            shared,
        }
    }

    /// Writes down how far it has come.
    fn note(&self) {
        let latest = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(name), Some(progress)) = (&self.name, latest) {
            self.shared.progress().insert(name.clone(), progress);
        }
    }
}

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            self.shared.progress().remove(name);
        }
    }
}

/// Answers a question while it is watched: it is stopped when the client leaves, or after
/// [`LONGEST`]. `None` if the engine panicked.
fn watched(
    stream: &TcpStream,
    named: &Named,
    work: impl FnOnce(&Control) -> Reply,
) -> Option<Reply> {
    let latest = Arc::clone(&named.latest);
    let control = Control::default().with_progress(move |progress| {
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    });
    let late = AtomicBool::new(false);
    let _ = stream.set_nonblocking(true);
    let replied = thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let (control, late) = (&control, &late);
        scope.spawn(move || {
            let begun = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(LOOK) {
                named.note();
                match stream.peek(&mut [0]) {
                    Ok(0) => return control.stop(),
                    Err(error) if !is_pause(&error) => return control.stop(),
                    Ok(_) | Err(_) => {} // what is sent beyond the question is not read
                }
                if begun.elapsed() > LONGEST {
                    late.store(true, Ordering::Release);
                    return control.stop();
                }
            }
        });
        let replied = catch_unwind(AssertUnwindSafe(|| work(control)));
        drop(done);
        replied
    });
    let _ = stream.set_nonblocking(false);
    match late.load(Ordering::Acquire) {
        true => Some(Reply::refused(format!(
            "it was stopped after {} seconds: ask it in a terminal",
            LONGEST.as_secs()
        ))),
        false => replied.ok(),
    }
}

/// A file of the page, of the studies, or how far a question has come.
fn found(path: &str, shared: &Shared) -> Option<Response> {
    let path = path.strip_prefix('/')?;
    if let Some(name) = path.strip_prefix("progress/") {
        // A question that has not told anything yet, or is over, is no fault.
        let told = shared.progress().get(name).copied();
        let (done, all) = told.map_or((0, 0), |told| (told.done, told.all));
        return Some(Response::file(
            "x.json",
            format!("{{\"done\":{done},\"all\":{all}}}\n").into(),
        ));
    }
    if let Some(rest) = path.strip_prefix("studies/") {
        let rest = if rest.is_empty() { "index.html" } else { rest };
        let plain = |part: Component| matches!(part, Component::Normal(_));
        if !Path::new(rest).components().all(plain) {
            return None;
        }
        let folder = shared.studies.as_ref()?.canonicalize().ok()?;
        let file = folder.join(rest).canonicalize().ok()?;
        // A link may lead out of the folder.
        let inside = file.starts_with(&folder) && file.is_file();
        return inside.then(|| Some(Response::file(rest, std::fs::read(&file).ok()?)))?;
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let file = FILES.get_file(path)?;
    Some(Response::file(path, file.contents().to_vec()))
}

/// The type of a file by the end of its name.
fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("csv") => "text/csv; charset=utf-8",
        Some("md" | "txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that panics is a status of its own, and the place of its question is free again.
    #[test]
    fn a_fault_is_told() {
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), None).unwrap();
        let client = TcpStream::connect(server.address).unwrap();
        let (stream, _) = server.listener.accept().unwrap();
        let named = Named::new(Some("a".to_string()), &server.shared);
        let reply = watched(&stream, &named, |_| panic!("a fault on purpose"));
        drop(named);
        Response::answer(reply).send(&stream, false);
        drop(stream);
        let mut told = String::new();
        (&client).read_to_string(&mut told).unwrap();
        assert!(
            told.starts_with("HTTP/1.1 500 Internal Server Error\r\n"),
            "{told}"
        );
        assert!(
            told.ends_with("which is a fault of flipcost\"}\n"),
            "{told}"
        );
        assert!(server.shared.progress().is_empty());
    }
}
