//! The framework that a service is made with, and its version: advice names its settings, whose names have changed.

use plimsoll_record::ProcessFacts;

/// Java's and the libraries' versions, as far as they were seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framework<'a>(&'a ProcessFacts);

/// A framework whose properties are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    SpringBoot,
    Quarkus,
    Micronaut,
}

/// Jars of Quarkus, one of which is open.
pub(crate) const QUARKUS: &[&str] = &["quarkus-core", "io.quarkus.quarkus-core", "io.quarkus.quarkus-bootstrap-runner"];

impl<'a> Framework<'a> {
    pub(crate) const fn of(process: &'a ProcessFacts) -> Self {
        Self(process)
    }

    /// The release of Java, e.g. 17.
    pub(crate) fn java(self) -> Option<u32> {
        let text = self.0.jvm.as_deref()?;
        number(text.rsplit_once("JDK ")?.1)
    }

    /// Major and minor version of a library, by the name of its jar.
    pub(crate) fn version(self, library: &str) -> Option<(u32, u32)> {
        let version = self.0.libraries.iter().find_map(|jar| {
            let version = jar.strip_prefix(library)?.strip_prefix('-')?;
            version.starts_with(|char: char| char.is_ascii_digit()).then_some(version)
        })?;
        let mut parts = version.split('.').map(number);
        Some((parts.next()??, parts.next().flatten().unwrap_or(0)))
    }

    /// Whether any of these libraries is there, by the names of their jars.
    pub(crate) fn has(self, libraries: &[&str]) -> bool {
        libraries.iter().any(|library| self.version(library).is_some())
    }

    /// The framework whose properties configure the service; none where none was seen.
    pub(crate) fn words(self) -> Option<Words> {
        if self.has(&["spring-boot"]) {
            Some(Words::SpringBoot)
        } else if self.has(QUARKUS) {
            Some(Words::Quarkus)
        } else if self.has(&["micronaut-core", "micronaut-http-server-netty"]) {
            Some(Words::Micronaut)
        } else {
            None
        }
    }

    /// Whether a Spring property is there in the version seen: some came late.
    pub(crate) fn has_spring_property(self, property: &str) -> bool {
        const SINCE: &[(&str, (u32, u32))] = &[("server.jetty.max-connections", (3, 2))];
        let since = SINCE.iter().find(|(name, _)| *name == property).map(|(_, since)| *since);
        since.is_none_or(|since| self.version("spring-boot").is_none_or(|boot| boot >= since))
    }

    /// The name of a Spring property in the version seen: some were renamed.
    pub(crate) fn spring_name(self, setting: &str) -> String {
        let is_before = |version: (u32, u32)| self.version("spring-boot").is_some_and(|boot| boot < version);
        let feign = self.version("spring-cloud-openfeign-core");
        let renamed = [
            (is_before((2, 3)), "server.tomcat.threads.max", "server.tomcat.max-threads"),
            (is_before((2, 3)), "server.jetty.threads.max", "server.jetty.max-threads"),
            (is_before((2, 3)), "server.undertow.threads.worker", "server.undertow.worker-threads"),
            (is_before((3, 0)), "spring.data.redis.", "spring.redis."),
            (feign.is_some_and(|feign| feign < (4, 0)), "spring.cloud.openfeign.httpclient.", "feign.httpclient."),
        ];
        renamed
            .iter()
            .filter(|(is_old, ..)| *is_old)
            .fold(setting.to_owned(), |text, (_, new, old)| text.replace(new, old))
    }

    /// How to move work off an event loop, by the first library that is there.
    pub(crate) fn off_the_loop(self) -> &'static str {
        const WAYS: &[(&[&str], &str)] = &[
            (&["micronaut-core"], "@ExecuteOn(TaskExecutors.BLOCKING)"),
            (QUARKUS, "@Blocking"),
            (&["armeria"], "@Blocking, or ServiceRequestContext.blockingTaskExecutor()"),
            (&["ktor-server-netty-jvm"], "withContext(Dispatchers.IO)"),
            (&["vertx-core"], "executeBlocking"),
            (&["reactor-netty-http"], "subscribeOn(Schedulers.boundedElastic())"),
        ];
        let way = WAYS.iter().find(|(libraries, _)| self.has(libraries));
        way.map_or("subscribeOn(Schedulers.boundedElastic()) of Reactor, executeBlocking of Vert.x", |(_, way)| way)
    }

    /// How to have virtual threads serve requests; none where that is impossible.
    pub(crate) fn virtual_threads(self) -> Option<&'static str> {
        if self.java().is_some_and(|java| java < 21) {
            return None;
        }
        match self.version("spring-boot") {
            Some(boot) if boot >= (3, 2) => Some("use virtual threads (spring.threads.virtual.enabled=true)"),
            Some(_) => None,
            None if self.words() == Some(Words::Quarkus) => Some("use virtual threads (@RunOnVirtualThread)"),
            None if self.version("dropwizard-core").is_some_and(|it| it == (0, 0) || it >= (4, 0)) => {
                Some("use virtual threads (enableVirtualThreads of its configuration’s server)")
            }
            None => Some("use virtual threads"),
        }
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = text.find(|char: char| !char.is_ascii_digit()).map_or(text, |end| &text[..end]);
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(jvm: &str, libraries: &[&str]) -> ProcessFacts {
        let libraries = libraries.iter().map(ToString::to_string).collect();
        ProcessFacts { jvm: Some(jvm.to_owned()), libraries, ..ProcessFacts::default() }
    }

    const JDK_17: &str = "OpenJDK 64-Bit Server VM version 17.0.15+6-Debian-1deb12u1, JDK 17.0.15";
    const JDK_25: &str = "OpenJDK 64-Bit Server VM version 25.0.3+9-LTS, JDK 25.0.3";

    #[test]
    fn versions_are_read_from_the_names_of_jars() {
        let facts = facts(JDK_25, &["spring-boot-3.5.7", "HikariCP-7.0.2"]);
        let seen = Framework::of(&facts);
        assert_eq!((seen.java(), seen.version("spring-boot")), (Some(25), Some((3, 5))));
        assert_eq!((seen.version("spring"), seen.version("HikariCP")), (None, Some((7, 0))));
    }

    #[test]
    fn the_framework_is_told_by_its_own_jar() {
        let of = |libraries: &[&str]| Framework::of(&facts(JDK_25, libraries)).words();
        assert_eq!(of(&["tomcat-embed-core-10.1.1", "HikariCP-7.0.2"]), None);
        assert_eq!(of(&["spring-boot-3.5.7", "tomcat-embed-core-10.1.1"]), Some(Words::SpringBoot));
        assert_eq!(of(&["io.quarkus.quarkus-core-3.20.0", "vertx-core-4.5.1"]), Some(Words::Quarkus));
        assert_eq!(of(&["io.quarkus.quarkus-bootstrap-runner-3.33.2"]), Some(Words::Quarkus), "its others are closed");
        assert_eq!(of(&["micronaut-core-4.8.3"]), Some(Words::Micronaut));
    }

    #[test]
    fn settings_have_the_names_of_the_version() {
        let name = |libraries: &[&str], setting| Framework::of(&facts(JDK_17, libraries)).spring_name(setting);
        let threads = "server.tomcat.threads.max (200 by default)";
        assert_eq!(name(&["spring-boot-2.2.13"], threads), "server.tomcat.max-threads (200 by default)");
        assert_eq!(name(&["spring-boot-3.5.7"], threads), threads);
        assert_eq!(name(&[], threads), threads);
        let redis = "spring.data.redis.jedis.pool.max-active";
        assert_eq!(name(&["spring-boot-2.7.18"], redis), "spring.redis.jedis.pool.max-active");
        let feign = "spring.cloud.openfeign.httpclient.max-connections";
        assert_eq!(name(&["spring-cloud-openfeign-core-3.1.9"], feign), "feign.httpclient.max-connections");
    }

    #[test]
    fn work_leaves_an_event_loop_in_the_words_of_its_framework() {
        let way = |libraries: &[&str]| Framework::of(&facts(JDK_25, libraries)).off_the_loop();
        assert_eq!(way(&["micronaut-core-4.10.15", "vertx-core-5.0.0"]), "@ExecuteOn(TaskExecutors.BLOCKING)");
        assert_eq!(way(&["vertx-core-4.5.1", "io.quarkus.quarkus-core-3.33.2"]), "@Blocking");
        assert_eq!(way(&["ktor-server-netty-jvm-0"]), "withContext(Dispatchers.IO)");
        assert!(way(&["reactor-netty-http-1.2.0", "spring-boot-3.5.7"]).starts_with("subscribeOn"));
        assert!(way(&[]).contains("of Reactor"));
    }

    #[test]
    fn virtual_threads_are_named_where_there_are_any() {
        let advice = |jvm, libraries: &[&str]| Framework::of(&facts(jvm, libraries)).virtual_threads();
        assert_eq!(advice(JDK_17, &["spring-boot-3.5.7"]), None);
        assert_eq!(advice(JDK_25, &["spring-boot-3.1.0"]), None);
        assert!(advice(JDK_25, &["spring-boot-4.1.0"]).is_some_and(|text| text.contains("spring.threads.virtual")));
        assert!(advice(JDK_25, &["quarkus-core-3.20.0"]).is_some_and(|text| text.contains("@RunOnVirtualThread")));
        let dropwizard = |library| advice(JDK_25, &["jetty-server-0", library]);
        assert!(dropwizard("dropwizard-core-0").is_some_and(|text| text.contains("enableVirtualThreads")));
        assert_eq!(dropwizard("dropwizard-core-3.0.1"), Some("use virtual threads"));
        assert_eq!(advice(JDK_25, &[]), Some("use virtual threads"));
    }
}
