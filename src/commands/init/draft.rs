//! The text of an experiment: settings that make sense for the service, and comments that teach.

use plimsoll_record::Nanos;

use super::ask::Paths;

/// Paths that did not answer 2xx, as comments.
const OTHERS_MOST: usize = 5;

/// The pair of variants that is compared, or the one that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variants {
    /// One jar, by the threads that serve.
    Threads { jar: String },
    /// One jar, as it is and with an archive.
    Archive { jar: String, packaging: &'static str },
    /// Two builds of a project: of its files as they are, and of the revision `last`.
    Builds { command: Vec<String>, workdir: Option<String>, jar: String, last: &'static str },
    /// One that runs.
    Running { url: String },
}

impl Variants {
    /// Their names.
    pub fn names(&self) -> &'static [&'static str] {
        match self {
            Self::Threads { .. } => &["platform", "virtual"],
            Self::Archive { .. } => &["jar", "archive"],
            Self::Builds { .. } => &["last", "now"],
            Self::Running { .. } => &["running"],
        }
    }

    fn title(&self, service: &str) -> String {
        match self {
            Self::Threads { .. } => format!("{service}: platform threads or virtual threads"),
            Self::Archive { .. } => format!("{service}: as it is, or with an archive of its classes"),
            Self::Builds { .. } => format!("{service}: the files as they are, or the commit before"),
            Self::Running { .. } => service.to_owned(),
        }
    }

    /// The lines from `base` to the end of `variants`.
    fn text(&self) -> String {
        match self {
            Self::Threads { jar } => format!(
                "base:\n  jar: {}\n{SETTINGS}\n{FRESH}variants:\n  platform: {{threads: platform}}\n  virtual: {{threads: virtual}}\n",
                scalar(jar)
            ),
            Self::Archive { jar, packaging } => format!(
                "base:\n  jar: {}\n{SETTINGS}\n{FRESH}# The archive is made once: the service is launched, answers the requests below for \
                 five seconds, and ends.\nvariants:\n  jar: {{}}\n  archive: {{packaging: {packaging}}}\n",
                scalar(jar)
            ),
            Self::Builds { command, workdir, jar, last } => {
                let words: Vec<String> = command.iter().map(|word| scalar(word)).collect();
                let workdir = workdir.as_ref().map_or_else(String::new, |it| format!("    workdir: {}\n", scalar(it)));
                format!(
                    "base:\n  # Run once before the rounds; of a revision in a git work tree of its own, and kept by commit.\n  \
                     build:\n    command: [{}]\n{workdir}    jar: {}\n{SETTINGS}\n{FRESH}\
                     # `now` is the files as they are; a revision is any commit, branch or tag.\n\
                     variants:\n  last: {{revision: {last}}}\n  now: {{}}\n",
                    words.join(", "),
                    scalar(jar)
                )
            }
            Self::Running { url } => format!(
                "# It runs already, so nothing is launched: it is watched if its process is here, and never ended.\n\
                 # A second `url` beside it makes a comparison; a `jar` or a `command` is launched afresh each round.\n\
                 variants:\n  running: {{url: {}}}\n",
                scalar(url)
            ),
        }
    }
}

const SETTINGS: &str = "\
\x20 # The same for all variants; docs/experiment-file.md has every key, `plimsoll schema` helps editors.
\x20 # limits: {memory: 1 GiB, cpus: 2}
\x20 # jvm-flags: [\"-Xmx512m\"]
\x20 # properties: {some.property: value}
\x20 # env: {SOME_VARIABLE: value}
";
const INSECURE: &str = "# Its certificate is not one that this machine trusts; `cacert` names one to trust instead.\n\
    connection: {insecure: true}\n\n";
/// Seconds from the jar to the report, with a start of its own and those of the runs.
const WHOLE_S: f64 = 170.0;
const RUNS: f64 = 6.0;
const WARM_UP_S: f64 = 5.0;
/// A run's own beside its load: its end, and looks before it.
const OVERHEAD_S: f64 = 0.5;
const SHORTEST_S: f64 = 5.0;
const LONGEST_S: f64 = 10.0;
/// A start is slower while it is watched.
const BUSY: f64 = 1.1;
const FRESH: &str = "# Each variant runs once in each round, in a fresh process on a free port, in random order.\n";

/// A whole experiment.
pub struct Draft<'a> {
    /// The arguments of the command that wrote it.
    pub written_by: &'a str,
    /// E.g. `Spring Boot 3.5.7 on Temurin 25.0.3+9, which answered 2.1 s after its start`.
    pub about: &'a str,
    /// The service, for the title.
    pub service: &'a str,
    pub variants: &'a Variants,
    /// Lines of `base` that it needs beside what its framework says.
    pub how: &'a str,
    pub paths: &'a Paths,
    /// How long it took to start, if it was launched.
    pub startup: Option<Nanos>,
}

impl Draft<'_> {
    /// The file.
    pub fn text(&self) -> String {
        let has_url = self.how.contains("  url: ") || matches!(self.variants, Variants::Running { .. });
        let requests = requests(self.paths, has_url);
        let connection = if self.paths.is_insecure { INSECURE } else { "" };
        format!(
            "# Written by `{}`: {}.\n\
             #\n\
             #   plimsoll check FILE    says what it would run, and how long that takes\n\
             #   plimsoll run FILE      launches, loads, watches, compares, reports\n\
             \n\
             title: {}\n\
             \n\
             {}\n\
             {requests}\n\
             {connection}\
             # Ten users, each of whom sends the next request as soon as the last is answered. A rate instead,\n\
             # whatever the answers do: `{{model: constant-arrival-rate, levels: [100/s, 200/s], duration: 10s}}`;\n\
             # the highest rate that keeps an objective: `line: {{slo: [\"p(99) < 200ms\"]}}` in place of\n\
             # `load` and `warmup`.\n\
             load: {{model: constant-vus, levels: [10], duration: {}\n\
             # Loaded first, and not counted: a JVM compiles what is hot. Without it figures are of a cold start.\n\
             # `until: steady` in place of `duration` ends it once the service is warm, after a minute at most.\n\
             warmup: {{duration: {WARM_UP_S}s, vus: 10}}\n\
             # Intervals need three rounds; more tell smaller differences.\n\
             rounds: {}\n\
             {}",
            self.written_by,
            self.about,
            scalar(&self.variants.title(self.service)),
            self.variants_text(),
            duration(self.startup),
            if matches!(self.variants, Variants::Running { .. }) { 1 } else { 3 },
            claims(self.variants.names()),
        )
    }

    fn variants_text(&self) -> String {
        let text = self.variants.text().replacen(SETTINGS, &(self.how.to_owned() + SETTINGS), 1);
        // The port is the service's own.
        if self.how.contains("  port: ") { text.replacen(" on a free port", "", 1) } else { text }
    }
}

/// Length of the load of each run: as a rule ten seconds, and less where the service's starts take the time.
fn duration(startup: Option<Nanos>) -> String {
    let start = startup.unwrap_or_default().as_secs_f64() * BUSY;
    let left = (WHOLE_S - (RUNS + 1.0) * start) / RUNS;
    let seconds = (left - WARM_UP_S - OVERHEAD_S).clamp(SHORTEST_S, LONGEST_S).floor();
    match seconds < LONGEST_S {
        true => format!("{seconds}s}}  # no more, for its starts take most of the time: longer is surer"),
        false => format!("{seconds}s}}"),
    }
}

fn claims(names: &[&str]) -> String {
    let [one, other] = names else { return String::new() };
    format!(
        "\n# A claim is judged by its interval: holds, fails or undecided; `plimsoll run --strict` exits with 99 if one fails.\n\
         # claims:\n\
         #   - says: {other} is not slower\n\
         #     claim: mean({other} @ 10) / mean({one} @ 10) <= 1.05\n"
    )
}

/// The path of `request` is not looked at where variants have a `url`, as `has_url` says; those of `requests` are
/// joined to it.
fn requests(paths: &Paths, has_url: bool) -> String {
    let single = |path: &str| match has_url {
        true => format!("requests:\n  - {{path: {}}}", scalar(path)),
        false => format!("request: {{path: {}}}", scalar(path)),
    };
    let told = match &paths.told_by {
        Some(page) => format!("that {page} told"),
        None => "that were tried: it tells none by OpenAPI or actuator".to_owned(),
    };
    // Where none is good, the first of the others is the request.
    let unused = paths.others.iter().skip(usize::from(paths.good.is_empty()));
    let others = unused
        .take(OTHERS_MOST)
        .map(|(path, status)| format!("#   {{path: {}}}  # {}\n", scalar(path), answered(status)));
    let more = paths.good.iter().skip(paths.loaded().len()).map(|path| format!("#   {{path: {}}}\n", scalar(path)));
    let aside: String = others.chain(more.take(OTHERS_MOST)).collect();
    let aside = if aside.is_empty() { aside } else { format!("# Others:\n{aside}") };
    match paths.loaded() {
        [] => format!(
            "# No path answered a GET with 2xx: write the one to load. Methods, headers and bodies: docs/guide.md.\n\
             {}{}\n{aside}",
            single(paths.others.first().map_or("/", |(path, _)| path)),
            paths.others.first().map_or_else(String::new, |(_, status)| format!("  # {}", answered(status)))
        ),
        [only] => {
            format!("# The path that answered 2xx, of those {told}.\n{}\n{aside}", single(only))
        }
        several => {
            let line = |path: &String| format!("  - {{path: {}, weight: 1}}\n", scalar(path));
            let lines: String = several.iter().map(line).collect();
            format!(
                "# Paths that answered 2xx, of those {told}; each request is one of them, by weight.\nrequests:\n{lines}{aside}"
            )
        }
    }
}

/// The answer of a path, with its remedy where that is known.
fn answered(status: &str) -> String {
    let remedy = match status {
        "401" | "403" => ": it wants `auth: {bearer: …}`, `auth: {user: …, password: …}`, or a cookie",
        _ => "",
    };
    if status.parse::<u16>().is_ok() { format!("it answered {status}{remedy}") } else { status.to_owned() }
}

/// A text as YAML has it within `[]` and `{}`.
pub fn scalar(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._~-".contains(char);
    let is_word =
        text.trim_start_matches('-').starts_with(|char: char| char.is_ascii_alphabetic() || "/.".contains(char));
    match is_word
        && text.chars().all(is_plain)
        && !matches!(text, "true" | "false" | "null" | "yes" | "no" | "." | "..")
    {
        true => text.to_owned(),
        // A string of JSON is one of YAML.
        false => serde_json::Value::from(text).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn paths() -> Paths {
        Paths {
            told_by: Some("/v3/api-docs".to_owned()),
            good: vec!["/items".to_owned(), "/search?name=a%20b".to_owned()],
            others: vec![("/items/7".to_owned(), "404".to_owned())],
            is_insecure: true,
        }
    }

    fn all() -> [Variants; 4] {
        [
            Variants::Threads { jar: "target/shop.jar".to_owned() },
            Variants::Archive { jar: "my shop.jar".to_owned(), packaging: "aot-cache" },
            Variants::Builds {
                command: ["./mvnw", "-q", "package"].map(str::to_owned).to_vec(),
                workdir: Some("..".to_owned()),
                jar: "target/shop-*.jar".to_owned(),
                last: "HEAD~1",
            },
            Variants::Running { url: "http://localhost:8080/".to_owned() },
        ]
    }

    #[test]
    fn each_draft_is_an_experiment_as_it_stands_and_with_its_claim() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.yaml");
        for variants in all() {
            for paths in [paths(), Paths::default()] {
                let draft = Draft {
                    written_by: "plimsoll init",
                    about: "a: b",
                    service: "shop",
                    variants: &variants,
                    how: "",
                    paths: &paths,
                    startup: None,
                };
                let text = draft.text();
                let with_claim = text
                    .replace("# claims:", "claims:")
                    .replace("#   - says", "  - says")
                    .replace("#     claim", "    claim");
                for text in [&text, &with_claim] {
                    std::fs::write(&path, text).unwrap();
                    let file =
                        crate::commands::check::read(&path, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
                    let names: Vec<String> = file.names.variants;
                    assert_eq!(names, variants.names());
                }
                assert_eq!(read_claims(&path), usize::from(variants.names().len() == 2));
            }
        }
    }

    fn read_claims(path: &Path) -> usize {
        crate::commands::check::read(path, None).unwrap().experiment.plan.claims.len()
    }

    #[test]
    fn the_file_is_one_to_read() {
        let variants = &all()[0];
        let about = "Spring Boot 3.5.7 on Temurin 25.0.3+9, which answered 2.1 s after its start";
        let draft = Draft {
            written_by: "plimsoll init target/shop.jar",
            about,
            service: "shop",
            variants,
            how: "",
            paths: &paths(),
            startup: Some(Nanos::from_millis(2_100)),
        };
        insta::assert_snapshot!(draft.text());
    }

    #[test]
    fn a_service_with_a_port_of_its_own_is_not_said_to_have_a_free_one() {
        let of = |how: &str| {
            let (variants, paths) = (&all()[0], &paths());
            Draft { written_by: "", about: "", service: "", variants, how, paths, startup: None }.text()
        };
        assert!(of("").contains("in a fresh process on a free port, in random order"));
        assert!(of("  port: 8080  # it listens there\n").contains("in a fresh process, in random order"));
    }

    #[test]
    fn the_load_is_shorter_where_starts_take_the_time() {
        let of = |seconds: u64| duration(Some(Nanos::from_secs(seconds))).split('s').next().map(str::to_owned).unwrap();
        assert_eq!([0, 3, 9].map(of), ["10", "10", "10"]);
        assert_eq!([12, 13, 20, 300].map(of), ["7", "6", "5", "5"]);
        assert_eq!(duration(None), "10s}");
    }

    #[test]
    fn a_path_that_did_not_answer_well_is_written_once_with_what_it_answered() {
        let other = |path: &str, status: &str| (path.to_owned(), status.to_owned());
        let paths = Paths { others: vec![other("/", "401"), other("/a", "404")], ..Paths::default() };
        let text = requests(&paths, false);
        let expected = "request: {path: /}  # it answered 401: it wants `auth: {bearer: …}`, `auth: {user: …, password: …}`, or a cookie\n\
                        # Others:\n#   {path: /a}  # it answered 404\n";
        assert!(text.ends_with(expected), "{text}");
        let only = Paths { good: vec!["/a".to_owned()], ..Paths::default() };
        assert!(requests(&only, true).ends_with("\nrequests:\n  - {path: /a}\n"), "{}", requests(&only, true));
    }

    #[test]
    fn texts_that_yaml_would_read_otherwise_are_quoted() {
        assert_eq!([scalar("/items"), scalar("-q")], ["/items", "-q"]);
        for text in ["a: b", "- q", "-", "-1", "*", "true", "/a?b=c", "1.5", "it's"] {
            assert_eq!(scalar(text), format!("\"{text}\""));
        }
    }
}
