//! `flipcost explore`: serves the page on a port of this machine.

use super::Failure;
use bytesize::ByteSize;
use flipcost_page::{Server, WriteStudy};
use flipcost_studies::{EmbeddedStudy, html, run};
use flipcost_terminal::interrupt::{self, TemporaryFile};
use flipcost_terminal::rows::Output;
use flipcost_terminal::screen::print_remark;
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Serve the page: every question of flipcost in a browser, on this machine
///
/// The page is inside the program. It sends its questions only to this server, and the server
/// answers only the page. Ctrl-C ends it.
#[derive(clap::Args)]
pub struct ExploreArgs {
    /// The port; 0 chooses any free port
    #[arg(short, long, value_name = "P", default_value_t = 1360, value_parser = parse_port)]
    port: u16,
    /// The address to listen on; any address except this machine's own also lets other machines ask
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Memory for the whole server, such as 500M or 4G: a question that would need more is refused
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_memory)]
    memory: ByteSize,
}

/// The memory of the server itself.
const SERVER_MEMORY: ByteSize = ByteSize::mb(50);

fn parse_memory(text: &str) -> Result<ByteSize, String> {
    let size = text.parse().ok().filter(|size| *size >= SERVER_MEMORY);
    size.ok_or("a size of at least 50M was expected, such as 500M or 4G".to_string())
}

fn parse_port(text: &str) -> Result<u16, &'static str> {
    text.parse()
        .map_err(|_| "a number from 0 to 65535 was expected")
}

impl ExploreArgs {
    pub fn run(self) -> Result<(), Failure> {
        crate::watch::stop_watching();
        let address = SocketAddr::new(self.bind, self.port);
        let folder = new_study_folder();
        let server = Server::bind(address, Some(folder.clone()), self.memory.0).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => Failure::Input(format!(
                "port {} is taken: choose another with --port, or --port 0 for any that is free",
                self.port
            )),
            _ => Failure::Input(format!("cannot listen on {address}: {error}")),
        })?;
        let server = server.with_studies(write_studies(folder.clone()));
        let _removed = TemporaryFile::new(&folder);
        let url = server.url();
        Output::write_all(None, format!("{url}\n").as_bytes())?;
        if self.bind.is_unspecified() {
            let every = "every machine that can reach this one can send it questions";
            print_remark(&if url.contains("//0.0.0.0:") || url.contains("//[::]:") {
                format!(
                    "{every}; its address is not known: `ip address` (`ipconfig` on Windows) lists the addresses; use one of them instead of {}",
                    self.bind
                )
            } else {
                format!("{every}, a phone in the same network by this address")
            });
        }
        if self.open
            && let Err(error) = open_browser(&url)
        {
            print_remark(&format!("no browser could be opened: {error}"));
        }
        let error = server.run();
        interrupt::remove_temporary_files();
        Err(Failure::Input(format!(
            "no thread could be started: {error}"
        )))
    }
}

/// Returns the path of a new temporary folder, which is not created yet.
fn new_study_folder() -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos());
    env::temp_dir().join(format!("flipcost-{}-{now}", process::id()))
}

/// The file with the list of the program's studies.
const STUDY_LIST: &str = "list.json";

/// Returns a function that writes the list of studies, or runs the study with this name and writes
/// its page. The function writes each of these only once.
fn write_studies(folder: PathBuf) -> Box<WriteStudy> {
    let names = EmbeddedStudy::all()
        .map(|study| study.name)
        .chain([STUDY_LIST]);
    let all: Vec<(&str, OnceLock<()>)> = names.map(|name| (name, OnceLock::new())).collect();
    Box::new(move |name| {
        let Some((name, written)) = all.iter().find(|(known, _)| *known == name) else {
            return;
        };
        written.get_or_init(|| {
            if let Err(error) = write_study(&folder, name) {
                print_remark(&format!("the studies cannot be shown: {error}"));
            }
        });
    })
}

fn write_study(folder: &Path, name: &str) -> Result<(), Failure> {
    if name == STUDY_LIST {
        let studies = EmbeddedStudy::all().map(|study| study.read());
        let about = |study: flipcost_studies::Study| {
            let page = format!("{0}/{0}", study.name);
            json!({"name": page, "title": study.title, "question": study.question})
        };
        let list = studies
            .map(|study| study.map(about))
            .collect::<Result<Vec<_>, _>>();
        let list = Value::from(list.map_err(Failure::input)?).to_string();
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(name), list));
        return written.map_err(Failure::input);
    }
    let Some(study) = EmbeddedStudy::all().find(|study| study.name == name) else {
        return Ok(());
    };
    let study = study.read().map_err(Failure::input)?;
    let folder = folder.join(name);
    let report = run(&study, &folder, &|_| ()).map_err(Failure::input)?;
    html::write(&folder, &folder, &[(&study, report)]).map_err(Failure::input)
}

/// Opens an address in the browser that the environment names, else in the system's default
/// browser.
fn open_browser(url: &str) -> io::Result<()> {
    let system: &[&str] = match env::consts::OS {
        "windows" => &["cmd", "/C", "start"],
        "macos" => &["open"],
        _ => &["xdg-open"],
    };
    let named = env::var("BROWSER").unwrap_or_default();
    let command = if named.is_empty() {
        system
    } else {
        &[named.as_str()]
    };
    let opener = Command::new(command[0])
        .args(&command[1..])
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    opener
        .map(drop)
        .map_err(|error| io::Error::new(error.kind(), format!("\"{}\": {error}", command[0])))
}
