//! `plimsoll init`: an experiment for a service of the user's own, that runs at once.

mod ask;
mod draft;
mod find;
mod get;
mod how;
mod project;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::Ordering,
};

use plimsoll_lab::{
    artifact::Artifacts,
    experiment::Limits,
    jvm::{JarOrigin, Jvm, OwnService, Source},
    listening::elsewhere,
    packaging::Packaging,
    service::{Framework, Service, paths as service_paths},
    trial::{Tried, try_out},
};
use plimsoll_record::Nanos;
use plimsoll_text::counted;
use url::Url;

use self::{
    ask::Paths,
    draft::{Draft, Variants},
    find::Found,
    get::Asker,
};
use crate::{
    cli::InitArgs,
    failure::Failure,
    interrupt,
    live::{Live, shown},
    project as plimsoll,
};

/// A service that takes longer to start is a matter for its own `ready-time-out`.
const PATIENCE: Nanos = Nanos::from_secs(120);
const STDOUT: &str = "-";
const NO_PATH: &str = "No path answered a GET with 2xx: write the one to load";
const WANTS_CREDENTIALS: &str =
    "It wants to know who asks: write `auth: {bearer: …}`, or the header that it wants, beside `path`";

/// All that was found out about a service.
struct Facts {
    about: String,
    name: String,
    variants: Variants,
    /// As lines of `base`, what it needs beside what its framework says.
    how: String,
    paths: Paths,
    /// Why the service could not be launched, if so.
    not_tried: Option<String>,
    /// How long it took to start, if it was launched.
    startup: Option<Nanos>,
}

pub fn execute(arguments: &InitArgs) -> Result<ExitCode, Failure> {
    check_output(arguments)?;
    let facts = match find::find(&arguments.target)? {
        Found::Running(url) => of_running(&url)?,
        Found::Jar { jar, project } => of_jar(&jar, project.as_deref(), &arguments.output)?,
    };
    let written_by = match arguments.target.as_str() {
        "." => "plimsoll init".to_owned(),
        target => format!("plimsoll init {target}"),
    };
    let draft = Draft {
        written_by: &shown(&written_by),
        about: &facts.about,
        service: &facts.name,
        variants: &facts.variants,
        how: &facts.how,
        paths: &facts.paths,
        startup: facts.startup,
    };
    write(arguments, &draft.text())?;
    tell(arguments, &facts);
    Ok(if facts.not_tried.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn is_stdout(output: &Path) -> bool {
    output == Path::new(STDOUT)
}

fn check_output(arguments: &InitArgs) -> Result<(), Failure> {
    let output = &arguments.output;
    if !is_stdout(output) && output.exists() && !arguments.force {
        return Err(Failure::input(format_args!(
            "{} is there already: name another with -o FILE, or replace it with --force",
            output.display()
        )));
    }
    Ok(())
}

fn write(arguments: &InitArgs, text: &str) -> Result<(), Failure> {
    let output = &arguments.output;
    if is_stdout(output) {
        return super::print(text);
    }
    // The file is opened only now that all is known: one that is there is kept until then.
    let opened = if arguments.force { File::create(output) } else { File::create_new(output) };
    let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::input(format_args!("{}: there is no such folder", output.display())),
        _ => Failure::input(format_args!("{} cannot be written: {error}", output.display())),
    })
}

/// The next steps, and what the file still needs.
fn tell(arguments: &InitArgs, facts: &Facts) {
    let Facts { about, variants, paths, .. } = facts;
    let names = variants.names();
    let told_by = paths.told_by.as_ref().map_or_else(String::new, |page| format!(", told by {page}"));
    let file = arguments.output.display();
    let what = format!(
        "{about}\n{}: {}; {} to load{told_by}",
        counted(names.len() as u64, "variant"),
        names.join(", "),
        counted(paths.loaded().len() as u64, "path"),
    );
    tell!("{}", shown(&what));
    if let Some(why) = &facts.not_tried {
        let text = format!("warning: the service could not be launched as it is, so its paths are not known: {why}");
        tell!("{}", shown(&text));
        tell!("{} in {file}.", how::what_it_needs(why));
    } else if paths.good.is_empty() {
        let why = if paths.want_credentials() { WANTS_CREDENTIALS } else { NO_PATH };
        tell!("{why} into {file}.");
    }
    if !is_stdout(&arguments.output) {
        tell!("\nWritten: {file}\n  plimsoll check {file}    says what it would run\n  plimsoll run {file}");
    }
}

fn of_running(url: &Url) -> Result<Facts, Failure> {
    let paths = Asker::default().paths(url, "", None, &[]);
    if let Some(why) = paths.silence() {
        let remedy = elsewhere(url).map_or_else(
            || "start the service, or name its jar".to_owned(),
            |other| format!("a service listens on the other loopback: name it as {other}"),
        );
        return Err(Failure::input(format_args!("{url} does not answer: {why}; {remedy}")));
    }
    let name = url.host_str().unwrap_or_default().to_owned();
    let name = url.port().map_or_else(|| name.clone(), |port| format!("{name}:{port}"));
    let base = url.join("/").map_or_else(|_| url.to_string(), |base| base.to_string());
    let about = format!("the service at {base}");
    Ok(Facts {
        about,
        name,
        variants: Variants::Running { url: base },
        how: String::new(),
        paths,
        startup: None,
        not_tried: None,
    })
}

fn of_jar(jar: &Path, project: Option<&Path>, output: &Path) -> Result<Facts, Failure> {
    let service = Service::read(jar).map_err(Failure::input)?;
    let artifacts = plimsoll::artifacts();
    let jdk = artifacts.default_jdk().map_err(Failure::input)?;
    let written = WrittenPaths::of(output);
    let jar_text = written.path(jar);
    let threads = service.framework == Framework::SpringBoot && service.is_at_least(3, 2) && !service.is_reactive;
    let variants = if threads && jdk.feature() >= 21 {
        Variants::Threads { jar: jar_text }
    } else if let Some(builds) = project.and_then(|project| project::builds(project, jar, &written)) {
        builds
    } else {
        let packaging = if jdk.feature() >= 24 { "aot-cache" } else { "cds" };
        Variants::Archive { jar: jar_text, packaging }
    };
    let arguments = how::arguments(&service, jar);
    let tried = try_jar(&artifacts, jar, &service, &arguments)?;
    let mut about = format!("{} on {jdk}", service.description());
    let how = how::lines(&service, &arguments, tried.as_ref().ok()) + &written.workdir();
    let startup = tried.as_ref().ok().map(|tried| tried.startup);
    let (paths, not_tried) = match tried {
        Ok(Tried { answer: (paths, _), startup, .. }) => {
            about.push_str(&format!(", which answered {startup} after its start"));
            (paths, None)
        }
        Err(why) => (Paths::default(), Some(why)),
    };
    Ok(Facts { about, name: name_of(jar), variants, how, paths, startup, not_tried })
}

/// The jar's name; every fast-jar of Quarkus has the same, and lies in `target/quarkus-app` of its project.
fn name_of(jar: &Path) -> String {
    const FAST_JAR: &str = "quarkus-run.jar";
    let absolute = std::path::absolute(jar).unwrap_or_else(|_| jar.to_owned());
    let project = absolute.ancestors().nth(3).and_then(Path::file_name);
    let is_fast_jar = jar.file_name().is_some_and(|name| name == FAST_JAR);
    let name = project.filter(|_| is_fast_jar).or(jar.file_stem());
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Launches the jar once, and asks for its paths, and where these are; the inner error is why that failed.
fn try_jar(
    artifacts: &Artifacts,
    jar: &Path,
    service: &Service,
    arguments: &[String],
) -> Result<Result<Tried<(Paths, Url)>, String>, Failure> {
    let own = OwnService {
        jar: JarOrigin::File(jar.to_owned()),
        threads: None,
        arguments: arguments.to_vec(),
        workdir: PathBuf::from("."),
        port: None,
        request_path: "/".to_owned(),
    };
    let workdir = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let jvm = Jvm {
        source: Source::Service(OwnService { workdir, ..own }),
        jdk: None,
        packaging: Packaging::Jar,
        spring_aot: false,
        jvm_flags: Vec::new(),
        properties: BTreeMap::new(),
    };
    // The variable by which the file tells the port, if nothing is known of how the service takes it.
    let told = how::is_untold(service).then(|| ("PORT".to_owned(), "{port}".to_owned()));
    let told: BTreeMap<String, String> = told.into_iter().collect();
    let artifact = artifacts.preview(&jvm, &told, &Limits::default()).map_err(Failure::input)?;
    let artifact = artifact.ok_or_else(|| Failure::input("no jar"))?;
    // The actuator tells paths only if it is asked to; this once it is.
    let shows = ("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "health,mappings");
    let exposed = service.has_actuator.then(|| (shows.0.to_owned(), shows.1.to_owned()));
    let env = exposed.into_iter().chain(told).collect();
    let exe = plimsoll::own_program();
    let stop = interrupt::stop_flag()?;
    let guessed = service_paths::of(jar);
    let mut live = Live::new(false);
    live.progress(&format!("launching {} once, to ask for its paths…", jar.display()));
    let (prefix, health) = (service.base_path.as_deref().unwrap_or_default(), service.health_path());
    let asker = Asker::until(stop.clone());
    let ask = |base: &Url| asker.paths(base, prefix, health.as_deref(), &guessed);
    let tried = try_out(&exe, &artifact, &env, PATIENCE, &stop, |base| {
        let found = ask(base);
        // A server of TLS answers so to those who speak without.
        let secure = how::by_tls(base).filter(|_| found.are_all_bad_requests());
        match secure.map(|secure| (ask(&secure), secure)) {
            Some(other) if !other.0.good.is_empty() => other,
            _ => (found, base.clone()),
        }
    });
    live.clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::interrupted("interrupted: no file was written"));
    }
    Ok(tried.map_err(|error| error.to_string()))
}

/// Paths as the file has them, which are seen from its folder.
pub struct WrittenPaths {
    /// Whether that is the current directory.
    is_here: bool,
}

impl WrittenPaths {
    fn of(output: &Path) -> Self {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let is_here = folder.is_none_or(|folder| {
            let same = |path: &Path| fs::canonicalize(path).ok();
            is_stdout(output) || same(folder) == same(Path::new("."))
        });
        Self { is_here }
    }

    /// The folder in which services are launched, as a line of `base`, where that is not the file's own.
    fn workdir(&self) -> String {
        match std::env::current_dir() {
            Ok(here) if !self.is_here => format!("  workdir: {}\n", draft::scalar(&here.display().to_string())),
            _ => String::new(),
        }
    }

    /// As it is written.
    fn path(&self, path: &Path) -> String {
        let plain = path.strip_prefix("./").unwrap_or(path);
        let path = if self.is_here { plain.to_owned() } else { std::path::absolute(plain).unwrap_or(plain.to_owned()) };
        path.display().to_string()
    }
}
