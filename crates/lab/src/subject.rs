//! The programs that Plimsoll brings, as far as experiment files and builds must know them.

/// A bundled subject.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Its folder under `java/subjects`.
    pub name: &'static str,
    /// Whether it is a Spring program, which can be packaged in every way. Else it is a jar and nothing more.
    pub is_spring: bool,
    /// Whether each request to it makes at least one to the upstream.
    pub calls_upstream: bool,
    /// Settings of subjects that it does not have; and why, with what to do instead.
    pub without: &'static [(&'static str, &'static str)],
    /// Where it answers 2xx as soon as it serves.
    pub ready_path: &'static str,
    /// What is requested if the file says nothing; in it, the placeholders of a variant's `url`.
    pub request_path: &'static str,
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

/// Every subject, in the order in which errors list them.
pub(crate) static SUBJECTS: [Subject; 4] = [
    Subject {
        name: "greetings-web",
        is_spring: true,
        calls_upstream: false,
        without: &[],
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
    Subject {
        name: "greetings-reactive",
        is_spring: true,
        calls_upstream: false,
        without: &[("threads", "it serves every request from Netty's event loops; remove `threads`")],
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
    Subject {
        name: "gateway",
        is_spring: true,
        calls_upstream: true,
        without: &[("wait", "it takes as long as the upstream that it calls; remove `wait`")],
        ready_path: "/ready",
        request_path: "/call?url={upstream}/",
    },
    Subject {
        name: "threads",
        is_spring: false,
        calls_upstream: false,
        without: &[
            ("wait", "it answers at once; remove `wait`"),
            ("spring-aot", "it is no Spring program; remove `spring-aot`"),
            ("threads", "write `properties: {threads.mode: per-request}`, or `pool`, or `virtual`"),
        ],
        ready_path: "/",
        request_path: "/",
    },
];

/// The property that holds Tomcat's number of worker threads, and its default.
pub(crate) const TOMCAT_THREADS: (&str, u32) = ("server.tomcat.threads.max", 200);

/// Properties that hold how many connections the gateway's client has at most.
pub(crate) const GATEWAY_POOL: [&str; 2] = ["gateway.pool.max-per-route", "gateway.pool.max-total"];

/// Properties that a setting of the variant, or Plimsoll itself, decides; and what to use instead.
pub(crate) static RESERVED_PROPERTIES: [(&str, &str); 4] = [
    ("greetings.wait", "use the setting `wait`"),
    ("spring.threads.virtual.enabled", "use the setting `threads`"),
    ("spring.aot.enabled", "use the setting `spring-aot`"),
    ("server.port", "remove it, Plimsoll chooses a free port"),
];
