//! The programs that Plimsoll brings, as far as an experiment file must know them.

/// A bundled subject.
#[derive(Debug)]
pub(super) struct Subject {
    /// Its folder under `java/subjects`.
    pub name: &'static str,
    /// Whether requests are served by threads of a pool, or by virtual ones: what the setting `threads` chooses.
    pub has_threads: bool,
    /// Where it answers 2xx as soon as it serves.
    pub ready_path: &'static str,
    /// What is requested if the file says nothing.
    pub request_path: &'static str,
}

/// Every subject, in the order in which errors list them.
pub(super) static SUBJECTS: [Subject; 2] = [
    Subject {
        name: "greetings-web",
        has_threads: true,
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
    Subject {
        name: "greetings-reactive",
        has_threads: false,
        ready_path: "/ready",
        request_path: "/greetings?name=plimsoll",
    },
];

/// The property that holds Tomcat's number of worker threads, and its default.
pub(super) const TOMCAT_THREADS: (&str, u32) = ("server.tomcat.threads.max", 200);

/// Properties that a setting of the variant, or Plimsoll itself, decides; and what to use instead.
pub(super) static RESERVED_PROPERTIES: [(&str, &str); 4] = [
    ("greetings.wait", "use the setting `wait`"),
    ("spring.threads.virtual.enabled", "use the setting `threads`"),
    ("spring.aot.enabled", "use the setting `spring-aot`"),
    ("server.port", "remove it, Plimsoll chooses a free port"),
];
