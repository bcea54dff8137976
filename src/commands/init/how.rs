//! Needs of a service beside what its framework says, as lines of `base`: found out by launching it once.

use std::path::Path;

use plimsoll_lab::{
    service::{Framework, Service},
    trial::Tried,
};
use plimsoll_record::Nanos;
use url::{Host, Url};

use super::{ask::Paths, draft::scalar};

/// A service that took longer to start is given more time than the default, which is two minutes.
const QUICK: Nanos = Nanos::from_secs(20);
/// Factor by which a start may take longer, beside others and on a machine that is busy.
const ROOM: u64 = 6;
/// Files of Dropwizard's configuration, as its archetype and its documents call them.
const CONFIGURATIONS: [&str; 4] = ["config.yml", "config.yaml", "configuration.yml", "example.yml"];

/// Whether nothing is known of how it is told its port.
pub fn is_untold(service: &Service) -> bool {
    service.framework == Framework::Plain
}

/// Arguments without which its jar serves nothing: those of Dropwizard, whose configuration lies in the current
/// directory, or is called as the jar is.
pub fn arguments(service: &Service, jar: &Path) -> Vec<String> {
    if !service.is_told_to_serve() {
        return Vec::new();
    }
    let stem = jar.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = stem.split_once("-0").or_else(|| stem.split_once("-1")).map_or(stem.as_str(), |(name, _)| name);
    let names = CONFIGURATIONS.iter().map(|name| (*name).to_owned()).chain([format!("{name}.yml")]);
    let found = names.into_iter().find(|name| Path::new(name).is_file());
    std::iter::once("server".to_owned()).chain(found).collect()
}

/// The same address by TLS.
pub fn by_tls(base: &Url) -> Option<Url> {
    let mut secure = base.clone();
    secure.set_scheme("https").ok().filter(|()| base.scheme() == "http").map(|()| secure)
}

/// Lines of `base`.
pub fn lines(service: &Service, arguments: &[String], tried: Option<&Tried<(Paths, Url)>>) -> String {
    let mut lines = String::new();
    if !arguments.is_empty() {
        let words: Vec<String> = arguments.iter().map(|word| scalar(word)).collect();
        lines.push_str(&format!("  arguments: [{}]  # it serves if it is told so\n", words.join(", ")));
    }
    if is_untold(service) {
        let untried = "  env: {PORT: \"{port}\"}  # if it takes its port from there, which could not be tried\n";
        lines.push_str(&tried.map_or_else(|| untried.to_owned(), |tried| port_line(tried.own_port())));
    }
    let Some(tried) = tried else { return lines };
    if let Some(port) = tried.own_port().filter(|_| !is_untold(service)) {
        lines.push_str(&format!(
            "  port: {port}  # it listens there, whatever port {} is told\n",
            service.framework.name()
        ));
    }
    let at = &tried.answer.1;
    if at.scheme() == "https" || at.host() == Some(Host::Ipv6(std::net::Ipv6Addr::LOCALHOST)) {
        let host = at.host_str().filter(|host| host.starts_with('[')).unwrap_or("{host}");
        let url = format!("{}://{host}:{{port}}/", at.scheme());
        lines.push_str(&format!("  url: {}  # it answers there\n", scalar(&url)));
    }
    if tried.startup > QUICK {
        let minutes = (tried.startup.as_secs_f64() * ROOM as f64 / 60.0).ceil();
        lines.push_str(&format!(
            "  ready-time-out: {minutes}min  # it took {} here; the default is two\n",
            tried.startup
        ));
    }
    lines
}

/// The line that tells a service its port: by `PORT`, as hosting platforms do, or the port that it has anyway.
fn port_line(own: Option<u16>) -> String {
    own.map_or_else(
        || "  env: {PORT: \"{port}\"}  # it takes its port from there\n".to_owned(),
        |port| format!("  port: {port}  # it listens there, whatever PORT says; `properties: {{NAME: \"{{port}}\"}}` may tell it another\n"),
    )
}

/// Advice to a user whose service ended before it answered, by what it said.
pub fn what_it_needs(why: &str) -> &'static str {
    if why.to_ascii_lowercase().contains("address already in use") {
        "Another process has a port that it wants: end that one, or tell the service another port"
    } else {
        "Give it what it needs (`env`, `properties`, `jvm-flags`)"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(at: &str, startup: Nanos) -> Tried<(Paths, Url)> {
        let at: Url = at.parse().unwrap();
        Tried { answer: (Paths::default(), at.clone()), startup, at, told: 4000 }
    }

    fn plain() -> Service {
        Service {
            framework: Framework::Plain,
            version: None,
            has_health: false,
            has_actuator: false,
            extracts_itself: false,
            is_ahead_of_time: false,
            is_reactive: false,
            base_path: None,
            kit: None,
            beside: Vec::new(),
        }
    }

    #[test]
    fn what_was_found_out_is_written() {
        let of = |at: &str, startup| lines(&plain(), &[], Some(&tried(at, Nanos::from_secs(startup))));
        assert_eq!(of("http://127.0.0.1:4000/", 2), port_line(None));
        assert_eq!(of("http://127.0.0.1:8080/", 2), port_line(Some(8080)));
        assert!(of("https://127.0.0.1:8443/", 2).ends_with("  url: \"https://{host}:{port}/\"  # it answers there\n"));
        assert!(of("http://[::1]:4000/", 2).ends_with("  url: \"http://[::1]:{port}/\"  # it answers there\n"));
        let slow = of("http://127.0.0.1:4000/", 40);
        assert!(slow.contains("  ready-time-out: 4min  # it took 40.0 s here"), "{slow}");
        assert!(lines(&plain(), &[], None).contains("which could not be tried"), "it could not be launched");
        let spring = Service { framework: Framework::SpringBoot, ..plain() };
        let of = |at: &str| lines(&spring, &[], Some(&tried(at, Nanos::from_secs(2))));
        assert_eq!(of("http://127.0.0.1:4000/"), "");
        assert!(of("http://127.0.0.1:8080/").starts_with("  port: 8080  # "), "its own code names one");
    }

    #[test]
    fn dropwizard_is_told_to_serve() {
        let dropwizard = Service { kit: Some("Dropwizard"), ..plain() };
        let words = arguments(&dropwizard, Path::new("target/stock-1.4.jar"));
        assert_eq!(words, ["server"], "no configuration lies here");
        assert!(lines(&dropwizard, &words, None).starts_with("  arguments: [server]  # "));
        assert_eq!(arguments(&plain(), Path::new("a.jar")), [""; 0]);
    }

    #[test]
    fn a_port_that_is_taken_is_told_from_what_lacks() {
        let taken = "it ended by itself before it answered\n  java.net.BindException: Address already in use";
        assert!(what_it_needs(taken).starts_with("Another process has a port that it wants"));
        assert!(what_it_needs("no DATABASE_URL").starts_with("Give it what it needs"));
    }
}
