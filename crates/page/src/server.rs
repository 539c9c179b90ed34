//! Serves the page on a port of this machine, by HTTP/1.1. Each connection has its own thread and
//! carries one request.
//!
//! The server uses plain sockets of the standard library, because a question must stop when its
//! client leaves, and only the socket reveals that. httparse reads the heads.

use crate::reply::reply_with_estimate;
use crate::running::{MAX_TIME, Running, RunningQuestion};
use crate::{Form, MAX_HEAD_BYTES, Reply, RequestHead, Status, read_head};
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use flipcost_question::{QueryError, text::unpack_texts};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{
    IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Returns the text of a file of the page; `None` if there is no such file.
pub fn file(path: &str) -> Option<&'static str> {
    static FILES: LazyLock<BTreeMap<String, String>> =
        LazyLock::new(|| unpack_texts(include_bytes!(concat!(env!("OUT_DIR"), "/texts.gz"))));
    match path {
        "glossary.md" => Some(include_str!("../../../docs/glossary.md")),
        _ => FILES.get(&format!("page/{path}")).map(String::as_str),
    }
}

/// The largest number of open connections that are not waiting for an answer. A further connection
/// closes the oldest of them.
const MAX_CONNECTIONS: usize = 64;

/// The time limit for receiving a request and for sending a response.
const IO_TIMEOUT: Duration = Duration::from_secs(10);

/// Bodies of at most this many bytes are not compressed.
const MIN_COMPRESSED_BYTES: usize = 1000;

/// The time to wait for more bytes from the client.
const READ_PAUSE: Duration = Duration::from_millis(100);

/// The content security policy: the page runs, loads and connects to its own files only.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The page, served on a port.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<ServerState>,
}

/// The state that the connections share.
struct ServerState {
    /// The names of this server: hosts with the port.
    names: Vec<String>,
    /// A folder that is served under `/studies/`.
    studies: Option<PathBuf>,
    /// Writes a study into the folder of the studies when it is first opened.
    write_study: Option<Box<WriteStudy>>,
    /// Connections that are not waiting for an answer, the oldest first.
    connections: Mutex<BTreeMap<u64, Arc<TcpStream>>>,
    running: Arc<Running>,
}

/// Writes a file or folder into the folder of the studies if it is missing: `list.json`, or the
/// folder of the study with this name.
pub type WriteStudy = dyn Fn(&str) + Send + Sync;

impl ServerState {
    fn lock_connections(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<TcpStream>>> {
        (self.connections.lock()).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is not waiting for an answer. Dropping this value unregisters the connection.
struct IdleConnection {
    shared: Arc<ServerState>,
    number: u64,
}

impl IdleConnection {
    /// Registers this connection; if there are too many, closes the oldest.
    fn register(shared: &Arc<ServerState>, stream: &Arc<TcpStream>) -> IdleConnection {
        let mut open = shared.lock_connections();
        if open.len() >= MAX_CONNECTIONS
            && let Some((_, oldest)) = open.pop_first()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = open.last_key_value().map_or(0, |(last, _)| last + 1);
        open.insert(number, Arc::clone(stream));
        IdleConnection {
            shared: Arc::clone(shared),
            number,
        }
    }
}

impl Drop for IdleConnection {
    fn drop(&mut self) {
        self.shared.lock_connections().remove(&self.number);
    }
}

impl Server {
    /// Binds a port of an address; port 0 means any free port. `studies` is a folder of static
    /// pages that is served under `/studies/`. The process may use at most `memory` bytes: a
    /// question that would take more is refused.
    ///
    /// # Errors
    /// If the port cannot be bound.
    pub fn bind(address: SocketAddr, studies: Option<PathBuf>, memory: u64) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let mut names = host_names(&address.to_string());
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            names.extend(host_names(&format!("localhost:{}", address.port())));
        }
        let shared = ServerState {
            names,
            studies,
            write_study: None,
            connections: Mutex::default(),
            running: Arc::new(Running::new(memory)),
        };
        Ok(Server {
            listener,
            address,
            shared: Arc::new(shared),
        })
    }

    /// Writes studies when they are first requested.
    pub fn with_studies(mut self, write: Box<WriteStudy>) -> Server {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            shared.write_study = Some(write);
        }
        self
    }

    /// Returns the address of the page. If the server listens on every address of this machine,
    /// this is the address that others can reach, if there is one.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified()
            && let Some(ip) = own_address()
        {
            address.set_ip(ip);
        }
        format!("http://{address}/")
    }

    /// Serves the page until the process ends; returns the error if no thread can start.
    pub fn run(self) -> io::Error {
        let running = Arc::clone(&self.shared.running);
        let watch = thread::Builder::new().spawn(move || running.watch());
        if let Err(error) = watch {
            return error;
        }
        loop {
            // The client has left, or no file handle is free: later connections may still work.
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(READ_PAUSE);
                continue;
            };
            let stream = Arc::new(stream);
            let shared = Arc::clone(&self.shared);
            let place = IdleConnection::register(&shared, &stream);
            // If no thread can start, the connection is closed.
            let _ = thread::Builder::new().spawn(move || serve_connection(&stream, &shared, place));
        }
    }
}

/// Returns the names of a host with a port; port 80, the default, may be left out.
fn host_names(host: &str) -> Vec<String> {
    let short = host.strip_suffix(":80").map(str::to_string);
    short.into_iter().chain([host.to_string()]).collect()
}

/// Returns the address of this machine that others can reach. Nothing is sent: the system only
/// reports which route it would use.
fn own_address() -> Option<IpAddr> {
    // two addresses that are reserved for documentation, one of each kind
    let others: [(IpAddr, IpAddr); 2] = [
        (
            Ipv4Addr::UNSPECIFIED.into(),
            Ipv4Addr::new(192, 0, 2, 1).into(),
        ),
        (
            Ipv6Addr::UNSPECIFIED.into(),
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
        ),
    ];
    let from = |(any, other): (IpAddr, IpAddr)| {
        let socket = UdpSocket::bind((any, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        let ip = socket.local_addr().ok()?.ip();
        (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
    };
    others.into_iter().find_map(from)
}

/// A response.
struct Response {
    status: Status,
    media_type: &'static str,
    body: Vec<u8>,
    /// The entity tag of a file; a client that already has this version does not receive it again.
    mark: Option<String>,
    packed: bool,
    /// Whether only the head is sent.
    without_body: bool,
    /// Occupies the place of the question until everything is sent.
    _question: Option<RunningQuestion>,
}

impl From<Status> for Box<Response> {
    fn from(status: Status) -> Box<Response> {
        Box::new(Response::refusal(status))
    }
}

impl Response {
    /// Returns a page that tells a person what went wrong and where to go.
    fn page(status: Status, title: &str, body: &str) -> Response {
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>flipcost: {title}</title>\n<h1>{title}</h1>\n<p>{body}</p>\n</html>\n"
        );
        Response {
            status,
            mark: None,
            ..Response::file("refusal.html", text.into())
        }
    }

    /// Returns a page for a person who opened this server by a name that it does not accept.
    fn foreign_host_page(address: &str) -> Response {
        let body = format!(
            "This server answers only under its own address, so that no other site can ask it. The page is at \
             <a href=\"http://{address}/\">http://{address}/</a>."
        );
        Response::page(Status::Foreign, "flipcost has another address", &body)
    }

    /// Returns the response for a missing file; a browser that opens a page gets a page.
    fn not_found(path: &str) -> Response {
        if path.ends_with(".html") {
            let body = "<a href=\"/#/studies\">The list of the studies</a>, and <a href=\"/\">the first page</a>.";
            return Response::page(Status::Missing, "There is no page of that name", body);
        }
        Response::refusal(Status::Missing)
    }

    fn refusal(status: Status) -> Response {
        Response::reply(status, Reply::refusal(status.sentence()))
    }

    fn reply(status: Status, reply: Reply) -> Response {
        Response {
            status,
            media_type: reply.media_type(),
            body: reply.body,
            mark: None,
            packed: false,
            without_body: false,
            _question: None,
        }
    }

    fn file(path: &str, body: Vec<u8>) -> Response {
        let mut crc = Crc::new();
        crc.update(&body);
        Response {
            status: Status::Done,
            media_type: media_type(path),
            mark: Some(format!("\"{:x}-{:x}\"", crc.sum(), body.len())),
            packed: false,
            without_body: false,
            body,
            _question: None,
        }
    }

    /// Adapts the response to the client: compresses it if the client accepts gzip, and removes the
    /// body if the client already has it.
    fn adapt_to_client(mut self, head: &RequestHead) -> Response {
        self.without_body = head.method == "HEAD";
        if self.mark.is_some() && head.known == self.mark {
            self.status = Status::Unchanged;
            self.without_body = true;
        }
        // The page reads the sentence itself; a failure status would only add an entry to the
        // browser's list of errors.
        if self.status == Status::Refused && head.name.is_some() {
            self.status = Status::Done;
        }
        self.packed = head.unpacks
            && self.body.len() > MIN_COMPRESSED_BYTES
            && !self.media_type.contains("png");
        if self.packed {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            let packed = packer.write_all(&self.body).and_then(|()| packer.finish());
            self.body = packed.expect("memory takes every byte");
        }
        self
    }

    /// Sends the response. If the client has left, the error is ignored.
    fn send(&self, mut stream: &TcpStream) {
        let mark = self.mark.as_ref();
        let mark = mark.map_or(String::new(), |mark| format!("ETag: {mark}\r\n"));
        let packed = if self.packed {
            "Content-Encoding: gzip\r\n"
        } else {
            ""
        };
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {CONTENT_POLICY}\r\n{mark}{packed}Vary: Accept-Encoding\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cache-Control: no-cache\r\nConnection: close\r\n\r\n",
            self.status.status_line(),
            self.media_type,
            self.body.len(),
        );
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(if self.without_body { &[] } else { &self.body }));
    }
}

/// Closes a connection. Reads what the client still sends first; otherwise the client's system
/// could discard the response.
fn close_connection(mut stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(READ_PAUSE));
    let mut rest = [0; 4096];
    for _ in 0..64 {
        match stream.read(&mut rest) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

fn serve_connection(stream: &Arc<TcpStream>, shared: &Arc<ServerState>, place: IdleConnection) {
    let _ = stream.set_write_timeout(Some(IO_TIMEOUT));
    let _ = stream.set_nodelay(true);
    let mut place = Some(place);
    let response = match receive_request(stream, shared) {
        Ok((head, body)) => {
            respond_to_request(&head, &body, stream, shared, &mut place).adapt_to_client(&head)
        }
        Err(refusal) => *refusal,
    };
    response.send(stream);
    drop(response);
    place.get_or_insert_with(|| IdleConnection::register(shared, stream));
    close_connection(stream);
}

/// Reads a request. A request from another site is refused before its body is read.
fn receive_request(
    stream: &TcpStream,
    shared: &ServerState,
) -> Result<(RequestHead, Vec<u8>), Box<Response>> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let more = |bytes: &mut Vec<u8>| {
        let left = IO_TIMEOUT.checked_sub(begun.elapsed());
        let left = left.filter(|left| !left.is_zero()).ok_or(Status::Late)?;
        let _ = stream.set_read_timeout(Some(left));
        let mut part = [0; 4096];
        match (&mut &*stream).read(&mut part) {
            Ok(0) => Err(Status::Malformed), // the request is incomplete
            Ok(count) => {
                bytes.extend_from_slice(&part[..count]);
                Ok(())
            }
            Err(error) if is_read_timeout(&error) => Err(Status::Late),
            Err(_) => Err(Status::Malformed),
        }
    };
    let head = loop {
        match read_head(&bytes[..bytes.len().min(MAX_HEAD_BYTES)])? {
            Some(head) => break head,
            None => more(&mut bytes)?,
        }
    };
    // No site can use a numeric address as its name.
    let called = stream
        .local_addr()
        .map(|address| SocketAddr::new(address.ip().to_canonical(), address.port()).to_string());
    let called = called.unwrap_or_default();
    if !head.is_from_own_page(&shared.names) && !head.is_from_own_page(&host_names(&called)) {
        return Err(if head.opens_page && head.method == "GET" {
            Box::new(Response::foreign_host_page(&called))
        } else {
            Status::Foreign.into()
        });
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

/// Returns whether nothing arrived within the time limit.
fn is_read_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Returns the response to a request. While a question is answered, its connection is not counted
/// as idle.
fn respond_to_request(
    head: &RequestHead,
    body: &[u8],
    stream: &Arc<TcpStream>,
    shared: &ServerState,
    place: &mut Option<IdleConnection>,
) -> Response {
    let reads = head.method == "GET" || head.method == "HEAD";
    let form = match head.path.as_str() {
        "/ask" => Form::Answer,
        "/picture" => Form::Picture,
        _ if !reads => return Response::refusal(Status::Method),
        path => {
            return find_response(path, shared).unwrap_or_else(|| Response::not_found(path));
        }
    };
    if head.method != "POST" {
        return Response::refusal(Status::Method);
    }
    let Ok(text) = std::str::from_utf8(body) else {
        return Response::refusal(Status::Text);
    };
    match shared.running.begin(stream, head.name.clone()) {
        Ok(question) => {
            *place = None;
            answer_question(question, |question| {
                let tell = |estimate: &_| question.record_estimate(estimate);
                reply_with_estimate(text, form, &question.control, &tell)
            })
        }
        Err(status) => Response::refusal(status),
    }
}

/// Returns the response to a question.
fn answer_question(
    question: RunningQuestion,
    work: impl FnOnce(&RunningQuestion) -> Reply,
) -> Response {
    let replied = catch_unwind(AssertUnwindSafe(|| work(&question)));
    let response = match (replied, question.record_answer()) {
        (Err(_), _) => Response::refusal(Status::Fault),
        (Ok(reply), _) if reply.is_answered() => Response::reply(Status::Done, reply),
        (Ok(_), Some(why)) => Response::refusal(why),
        (Ok(reply), None) => match question.control.go_on() {
            Ok(()) => Response::reply(Status::Refused, reply),
            Err(QueryError::Memory) => Response::refusal(Status::Memory),
            Err(_) => {
                let longest = MAX_TIME.as_secs();
                let late = format!("it was stopped after {longest} seconds: ask it in a terminal");
                Response::reply(Status::Refused, Reply::refusal(late))
            }
        },
    };
    Response {
        _question: Some(question),
        ..response
    }
}

/// Returns a file of the page, a file of the studies, or the progress of a question.
fn find_response(path: &str, shared: &ServerState) -> Option<Response> {
    let path = path.strip_prefix('/')?;
    if let Some(name) = path.strip_prefix("progress/") {
        let told = shared.running.progress(name);
        return Some(Response::file(
            "x.json",
            format!("{{\"done\":{},\"all\":{}}}\n", told.done, told.all).into(),
        ));
    }
    if let Some(rest) = path.strip_prefix("studies/") {
        let rest = if rest.is_empty() { "index.html" } else { rest };
        let plain = |part: Component| matches!(part, Component::Normal(_));
        if !Path::new(rest).components().all(plain) {
            return None;
        }
        if let (Some(write), Some(name)) = (&shared.write_study, rest.split('/').next()) {
            write(name);
        }
        let folder = shared.studies.as_ref()?.canonicalize().ok()?;
        let file = folder.join(rest).canonicalize().ok()?;
        // A link could lead out of the folder.
        let inside = file.starts_with(&folder) && file.is_file();
        return inside.then(|| Some(Response::file(rest, std::fs::read(&file).ok()?)))?;
    }
    let path = if path.is_empty() { "index.html" } else { path };
    if path == "index.html" {
        let page = file(path)?.replace("{version}", env!("CARGO_PKG_VERSION"));
        // The address at which others find this page, for the links that it shares.
        let page = match option_env!("FLIPCOST_ADDRESS") {
            Some(address) => page.replace(
                "</head>",
                &format!("<link rel=\"canonical\" href=\"{address}/\">\n</head>"),
            ),
            None => page,
        };
        return Some(Response::file(path, page.into()));
    }
    Some(Response::file(path, file(path)?.into()))
}

/// Returns the media type of a file by its extension.
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

    /// A panic in the engine is reported with status 500, and the place of its question is free
    /// again.
    #[test]
    fn panics_are_reported_as_status_500() {
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), None, u64::MAX).unwrap();
        let client = TcpStream::connect(server.address).unwrap();
        let (stream, _) = server.listener.accept().unwrap();
        let stream = Arc::new(stream);
        let question = server.shared.running.begin(&stream, None).unwrap();
        answer_question(question, |_| panic!("a fault on purpose")).send(&stream);
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
    }
}
