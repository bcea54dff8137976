//! A load in parts, or parts that stay for many, as engines are told of it.

use plimsoll_record::Nanos;
use plimsoll_text::counted;

use crate::cli::COLLECTOR_PORT;

/// Port of the collector.
pub const PORT: u16 = COLLECTOR_PORT;

/// Everything that is printed follows from this.
pub struct Distribution {
    /// The command that was given, without secrets.
    pub command: String,
    pub name: String,
    pub namespace: Option<String>,
    pub parts: u32,
    /// Empty where the engine needs none.
    pub image: String,
    pub share: Share,
    /// How long the collector waits for parts.
    pub deadline: Nanos,
    /// How long it keeps a record that nobody has fetched.
    pub hold: Nanos,
    /// `load` and its flags, or `serve-part` and its own.
    pub load: Vec<Word>,
    /// Port of the search or the experiment that the parts stay for; none: they offer one load, and have a collector.
    pub stay_for: Option<u16>,
    /// Whether the load reads any file, here or where it runs.
    pub reads_files: bool,
    /// The files that go along.
    pub files: Vec<LoadFile>,
    /// Drawn for this run: who has it may take part.
    pub token: String,
}

/// A part's share of its machine.
pub struct Share {
    /// `2`, or `500m`.
    pub cpu: String,
    /// `512Mi`, or `2Gi`.
    pub memory: String,
}

/// An argument of the load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub is_secret: bool,
}

/// A file that the load reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadFile {
    /// Seen from the directory that the load runs in, below it.
    pub path: String,
    pub content: Vec<u8>,
}

impl Distribution {
    /// Arguments of the collector.
    pub fn collect(&self) -> Vec<String> {
        let (parts, deadline) = (self.parts.to_string(), plain(self.deadline));
        let listen = format!("[::]:{PORT}");
        ["collect", "--parts", &parts, "--listen", &listen, "--deadline", &deadline].map(str::to_owned).to_vec()
    }

    /// Flags of a part, beside those that were given, for a collector on this host.
    pub fn join(&self, host: &str) -> Vec<String> {
        let (url, deadline) = (format!("https://{host}:{PORT}"), plain(self.deadline));
        let join = ["--join", &url, "--deadline", &deadline].map(str::to_owned);
        let known = if self.stays() { 2 } else { 0 };
        join[known..].to_vec()
    }

    /// Whether the parts stay for one load after another.
    pub fn stays(&self) -> bool {
        self.stay_for.is_some()
    }

    /// The command that was asked for as comments, and what to do with what is printed.
    pub fn heading(&self, steps: &[(&str, String)]) -> String {
        let count = counted(u64::from(self.parts), "part");
        let (start, others) = steps.split_at(1);
        let steps = [start, &self.search(), others].concat();
        let widest = steps.iter().map(|(step, _)| step.len()).max().unwrap_or(0);
        let what = match self.stays() {
            true => "that stay for the loads of one search or experiment",
            false => "of one load, that start together and report as one",
        };
        // A body may have several lines.
        let command = commented(&self.command);
        let mut lines = vec![format!("# {count} {what}. Made by:"), format!("#   {command}"), "#".to_owned()];
        lines.extend(steps.iter().map(|(step, how)| format!("# {step:<widest$}   {how}")));
        lines.push("#".to_owned());
        lines.push(
            "# Keep it secret, for the token in it lets others take part. The next run gets a file and a token of its own.".to_owned(),
        );
        lines.join("\n") + "\n"
    }
}

impl Distribution {
    /// The other side of parts that stay.
    fn search(&self) -> Vec<(&'static str, String)> {
        let Some(port) = self.stay_for else { return Vec::new() };
        let (parts, token) = (self.parts, &self.token);
        let listen = format!("0.0.0.0:{port}");
        vec![
            (
                "search",
                format!("PLIMSOLL_TOKEN={token} plimsoll line URL --slo OBJECTIVE --parts {parts} --listen {listen}"),
            ),
            (
                "or",
                format!(
                    "PLIMSOLL_TOKEN={token} plimsoll run FILE, with `generator: {{parts: {parts}, listen: \"{listen}\"}}`"
                ),
            ),
        ]
    }
}

/// A text within a comment, also where it has several lines: shells break them at some characters, YAML at more.
pub fn commented(text: &str) -> String {
    text.replace(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n#   ")
}

/// The time as `--deadline` and its like read it.
pub fn plain(time: Nanos) -> String {
    match time.0.div_ceil(1_000_000) {
        millis if millis % 60_000 == 0 => format!("{}m", millis / 60_000),
        millis if millis % 1_000 == 0 => format!("{}s", millis / 1_000),
        millis => format!("{millis}ms"),
    }
}
