//! The server with which a target accepts connections: each has its own setting for the accept queue.

use plimsoll_record::{ProcessFacts, ServerSeen};

use super::{
    framework::{Framework, QUARKUS},
    settings::{self, Named},
};

/// A server of HTTP.
struct Server {
    name: &'static str,
    /// Names of its jars, before the version.
    libraries: &'static [&'static str],
    /// Beginnings of the kernel's names of its processes.
    processes: &'static [&'static str],
}

const fn of_jars(name: &'static str, libraries: &'static [&'static str]) -> Server {
    Server { name, libraries, processes: &[] }
}

const fn of_process(name: &'static str, processes: &'static [&'static str]) -> Server {
    Server { name, libraries: &[], processes }
}

/// Servers; the first one that is seen counts. Netty is the last jar: services with other servers use it for clients.
const SERVERS: &[Server] = &[
    of_jars("Tomcat", &["tomcat-embed-core"]),
    of_jars("Jetty", &["jetty-server"]),
    of_jars("Helidon", &["helidon-webserver"]),
    of_jars("Micronaut", &["micronaut-http-server-netty"]),
    of_jars("Vert.x", QUARKUS),
    of_jars("Vert.x", &["vertx-core"]),
    of_jars("Undertow", &["undertow-core"]),
    of_jars("Armeria", &["armeria"]),
    of_jars("Ktor", &["ktor-server-netty-jvm"]),
    of_jars("Netty", &["reactor-netty-http"]),
    of_process("nginx", &["nginx"]),
    of_process("Apache httpd", &["httpd", "apache2"]),
    of_process("Gunicorn", &["gunicorn"]),
    of_process("Uvicorn", &["uvicorn"]),
    of_process("Python", &["python"]),
    of_process("Node.js", &["node", "MainThread"]),
];

/// Servers that are known by the name of their threads alone, as `known` calls these.
const BY_THREADS: &[(&str, &str)] = &[
    ("Tomcat’s threads", "Tomcat"),
    ("Jetty’s threads", "Jetty"),
    ("Undertow’s worker threads", "Undertow"),
    ("Quarkus’ worker threads", "Vert.x"),
    ("gRPC’s executor", "Netty"),
    ("Helidon’s threads", "Helidon"),
    ("the executor of com.sun.net.httpserver", "com.sun.net.httpserver"),
];

/// Name of every server.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SERVERS.iter().map(|it| it.name).chain(BY_THREADS.iter().map(|it| it.1))
}

/// The setting of the accept queue of a program; `threads` are those that serve its requests, as `known` calls them.
pub(crate) fn accept_queue(facts: &ProcessFacts, threads: Option<&str>) -> Named {
    let framework = Framework::of(facts);
    let has = |server: &&Server| {
        framework.has(server.libraries) || server.processes.iter().any(|process| facts.name.starts_with(process))
    };
    let by_threads = || BY_THREADS.iter().find(|it| Some(it.0) == threads).map(|it| it.1);
    // A server that is seen at work counts before those of which there are only jars.
    let server = by_threads().or_else(|| SERVERS.iter().find(has).map(|it| it.name));
    let queue = server.map_or_else(|| "listen queue".to_owned(), |name| format!("listen queue of {name}"));
    settings::of(&queue, framework).unwrap_or_default()
}

/// The same for a program as it was seen beside a run.
pub(crate) fn accept_queue_of(seen: Option<&ServerSeen>) -> Named {
    let ServerSeen { process, libraries } = seen.cloned().unwrap_or_default();
    accept_queue(&ProcessFacts { name: process, libraries, ..ProcessFacts::default() }, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(process: &str, libraries: &[&str]) -> String {
        let libraries = libraries.iter().map(ToString::to_string).collect();
        accept_queue_of(Some(&ServerSeen { process: process.to_owned(), libraries })).text
    }

    #[test]
    fn the_queue_is_sized_in_the_words_of_its_server() {
        let spring = ["reactor-netty-http-1.2.0", "spring-boot-3.5.7", "tomcat-embed-core-10.1.48"];
        let tomcat = "server.tomcat.accept-count (acceptCount of Tomcat’s connector, 100 by default)";
        assert_eq!(said("java", &spring), tomcat, "its client has Netty");
        assert_eq!(
            said("java", &["reactor-netty-http-1.2.0", "spring-boot-3.5.7"]),
            "ChannelOption.SO_BACKLOG (net.core.somaxconn by default)"
        );
        assert!(said("java", &["quarkus-core-3.20.0", "vertx-core-4.5.1"]).starts_with("quarkus.http.accept-backlog"));
        assert!(said("java", &["micronaut-core-4.8.3", "micronaut-http-server-netty-4.8.3"]).contains("so-backlog"));
        assert_eq!(said("java", &["helidon-webserver-4.3.3"]), "server.backlog (1024 by default)");
        assert!(said("java", &["ktor-server-netty-jvm-0"]).contains("configureBootstrap"), "of a jar of all");
        assert!(said("java", &["armeria-1.33.4"]).starts_with("ServerBuilder.channelOption"), "it has Netty below it");
        assert_eq!(said("nginx", &[]), "`backlog=` of nginx’s `listen` (511 by default)");
        assert!(said("python3.11", &[]).contains("request_queue_size"));
    }

    #[test]
    fn an_unknown_server_is_spoken_of_in_general() {
        let general = "the backlog that the server gives to listen(2)";
        assert_eq!((said("java", &[]).as_str(), accept_queue_of(None).text.as_str()), (general, general));
    }

    #[test]
    fn threads_tell_a_server_that_has_no_jar() {
        let threads = Some("the executor of com.sun.net.httpserver");
        let said = accept_queue(&ProcessFacts { name: "java".to_owned(), ..ProcessFacts::default() }, threads);
        assert_eq!(said.text, "the backlog of HttpServer.create (50 by default)");
    }
}
