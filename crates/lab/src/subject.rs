//! The programs that Plimsoll brings, as far as experiment files and builds must know them.

use crate::packaging::Packaging;

/// A bundled subject.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Its folder under `java/subjects`.
    pub name: &'static str,
    /// Whether it is a Spring program.
    pub is_spring: bool,
    /// How it can be packaged.
    pub packagings: &'static [Packaging],
    /// How it calls the upstream, if each request to it makes at least one call.
    pub calls: Option<Calls>,
    /// Settings of subjects that it does not have; and why, with what to do instead.
    pub without: &'static [(&'static str, &'static str)],
    /// Where it answers 2xx as soon as it serves.
    pub ready_path: &'static str,
    /// Path that is requested if the file says nothing; in it, the placeholders of a variant's `url`.
    pub request_path: &'static str,
}

/// How a subject calls the upstream: what its `application.yml` says, for calculating ceilings.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The property that names its client, and the default.
    pub client: (&'static str, &'static str),
    /// Its clients.
    pub clients: &'static [Client],
    /// The property that holds the upstream's URL, if it is not part of each request.
    pub upstream: Option<&'static str>,
}

/// One of the clients by which a subject calls.
#[derive(Debug)]
pub(crate) struct Client {
    pub name: &'static str,
    /// Whether it holds a thread of Tomcat's for as long as a call takes.
    pub holds_threads: bool,
    /// Its pool; none if it opens as many connections as it is asked for.
    pub pool: Option<Pool>,
}

/// How many connections a pool has at most: the properties that say so, and their defaults.
#[derive(Debug)]
pub(crate) struct Pool {
    pub per_route: (&'static str, u32),
    pub total: Option<(&'static str, u32)>,
}

impl Subject {
    /// The subject of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SUBJECTS.iter().find(|subject| subject.name == name)
    }

    /// Why it does not have this setting, and what to do; none if it has it.
    pub fn lacks(&self, setting: &str) -> Option<&'static str> {
        self.without.iter().find(|(name, _)| *name == setting).map(|(_, why)| *why)
    }
}

/// The packagings of subjects that have a profile `native` in their POM.
const EVERY_WAY: &[Packaging] =
    &[Packaging::Jar, Packaging::Extracted, Packaging::Cds, Packaging::AotCache, Packaging::Native];
const ON_THE_JVM: &[Packaging] = &[Packaging::Jar, Packaging::Extracted, Packaging::Cds, Packaging::AotCache];

/// Every subject, in the order in which errors list them.
pub(crate) static SUBJECTS: [Subject; 5] = [
    Subject {
        name: "greetings-web",
        is_spring: true,
        packagings: EVERY_WAY,
        calls: None,
        without: &[],
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
    Subject {
        name: "greetings-reactive",
        is_spring: true,
        packagings: EVERY_WAY,
        calls: None,
        without: &[("threads", "it serves every request from Netty's event loops; remove `threads`")],
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
    Subject {
        name: "caller",
        is_spring: true,
        packagings: ON_THE_JVM,
        calls: Some(Calls {
            client: ("caller.client", "webclient"),
            clients: &[
                Client { name: "feign", holds_threads: true, pool: None },
                Client { name: "feign-hc5", holds_threads: true, pool: Some(OPENFEIGN_POOL) },
                Client { name: "resttemplate", holds_threads: true, pool: Some(SPRING_POOL) },
                Client { name: "restclient", holds_threads: true, pool: Some(SPRING_POOL) },
                Client { name: "webclient", holds_threads: false, pool: Some(WEBCLIENT_POOL) },
            ],
            upstream: Some("caller.upstream"),
        }),
        without: &[("wait", "it takes as long as the upstream that it calls; remove `wait`")],
        ready_path: "/ready",
        request_path: "/call",
    },
    Subject {
        name: "gateway",
        is_spring: true,
        packagings: ON_THE_JVM,
        calls: Some(Calls {
            client: ("gateway.client", "resttemplate-pooled"),
            clients: &[
                Client { name: "resttemplate-simple", holds_threads: true, pool: None },
                Client { name: "resttemplate-pooled", holds_threads: true, pool: Some(GATEWAY_POOL) },
                Client {
                    name: "webclient",
                    holds_threads: false,
                    pool: Some(Pool { per_route: (GATEWAY_POOL.per_route.0, REACTOR_NETTY), total: None }),
                },
            ],
            upstream: None,
        }),
        without: &[("wait", "it takes as long as the upstream that it calls; remove `wait`")],
        ready_path: "/ready",
        request_path: "/call?url={upstream}/",
    },
    Subject {
        name: "threads",
        is_spring: false,
        packagings: &[Packaging::Jar],
        calls: None,
        without: &[
            ("wait", "it answers at once; remove `wait`"),
            ("spring-aot", "it is no Spring program; remove `spring-aot`"),
            ("threads", "write `properties: {threads.mode: per-request}`, or `pool`, or `virtual`"),
        ],
        ready_path: "/",
        request_path: "/",
    },
];

const OPENFEIGN_POOL: Pool = Pool {
    per_route: ("spring.cloud.openfeign.httpclient.max-connections-per-route", 50),
    total: Some(("spring.cloud.openfeign.httpclient.max-connections", 200)),
};
/// Apache HttpClient 5 with its own defaults.
const SPRING_POOL: Pool =
    Pool { per_route: ("caller.pool.max-per-route", 5), total: Some(("caller.pool.max-total", 25)) };
const WEBCLIENT_POOL: Pool = Pool { per_route: ("caller.pool.max-per-route", REACTOR_NETTY), total: None };
const GATEWAY_POOL: Pool =
    Pool { per_route: ("gateway.pool.max-per-route", 20), total: Some(("gateway.pool.max-total", 100)) };
/// Reactor Netty's default for each route.
const REACTOR_NETTY: u32 = 500;

/// The property that holds Tomcat's number of worker threads, and its default.
pub(crate) const TOMCAT_THREADS: (&str, u32) = ("server.tomcat.threads.max", 200);

/// Properties that a setting of the variant, or Plimsoll itself, decides; and what to use instead.
pub(crate) static RESERVED_PROPERTIES: [(&str, &str); 4] = [
    ("greetings.wait", "use the setting `wait`"),
    ("spring.threads.virtual.enabled", "use the setting `threads`"),
    ("spring.aot.enabled", "use the setting `spring-aot`"),
    ("server.port", "remove it, Plimsoll chooses a free port"),
];

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn a_subject_can_be_a_native_image_if_its_pom_can_build_one() {
        for subject in &SUBJECTS {
            let pom =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../java/subjects/{}/pom.xml", subject.name));
            let has_profile = fs::read_to_string(pom).unwrap().contains("<id>native</id>");
            assert_eq!(subject.packagings.contains(&Packaging::Native), has_profile, "{}", subject.name);
        }
    }
}
