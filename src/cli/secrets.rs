//! Arguments that hold secrets. They are found before the command is read, since an error shows what cannot be read.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory};
use plimsoll_secrets::{Hidden, Secrets, hide};

use super::Cli;

/// Content of a flag's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// No secret.
    Nothing,
    /// `USER:PASSWORD`.
    User,
    /// A secret as a whole.
    Token,
    /// A URL with user information or secret parameters.
    Url,
    /// A URL, or a curl command.
    Target,
    /// `Name: value`.
    Header,
    /// `NAME=VALUE`.
    Field,
    /// Text with names and values in it.
    Pairs,
}

/// Flags that may hold a secret, by their ids. All others are in [`HARMLESS`]: a test asks for it.
const HOLDING: &[(&str, Holds)] = &[
    ("bearer", Holds::Token),
    ("body", Holds::Pairs),
    ("check", Holds::Pairs),
    ("form", Holds::Field),
    ("header", Holds::Header),
    ("json", Holds::Pairs),
    ("multipart", Holds::Field),
    ("otlp", Holds::Url),
    ("proxy", Holds::Url),
    ("target", Holds::Target),
    ("user", Holds::User),
    ("with", Holds::Field),
];

/// Flags that hold numbers, times, names and paths.
#[cfg(test)]
const HARMLESS: &str = "\
    announced_idle_time at_least at_most backlog baseline bind body_file body_time cacert cert certificates config \
    connect_timeout connect_to connections content_type cpu deadline dns duration env evenly execution executions \
    file files force format freeze from har har_host held hold http idle_time image import_root interval join key \
    last latency listen load max_connections max_in_flight max_requests_per_connection max_users memory method name \
    namespace on only openapi operation output pace part part_index parts per_vu pid places poisson port prometheus \
    ramp_up rate record redirects request requests resolution reuse rounds seed segment servers silence size slo sni \
    source stage start_at status streams think_time threads threshold timeout tls_max tls_min to token_file \
    tolerance trace unix_socket users warm_up";

/// Arguments without their secrets.
pub struct Given {
    /// One for each argument; none where it stays as it is.
    pub masked: Vec<Option<String>>,
    /// To be learned.
    pub secrets: Vec<String>,
}

/// Finds the secrets in the arguments after the program's name.
pub fn hide(arguments: &[OsString]) -> Given {
    let texts: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let root = Cli::command();
    let command = texts.iter().find_map(|text| root.find_subcommand(text));
    let mut reader = Reader { root: &root, command, texts: &texts, hidden: Vec::new(), only_values: false };
    while reader.hidden.len() < texts.len() {
        reader.next();
    }
    let hidden = reader.hidden;
    let secrets: Vec<String> = hidden.iter().flat_map(|hidden| hidden.secrets.clone()).collect();
    let mut known = Secrets::default();
    known.add(secrets.iter().cloned());
    // One argument may name what another one shows.
    let masked = hidden.iter().map(|hidden| known.mask(&hidden.text).into_owned());
    let changed = masked.zip(&texts).map(|(masked, text)| (masked != *text).then_some(masked));
    Given { masked: changed.collect(), secrets }
}

struct Reader<'a> {
    root: &'a Command,
    command: Option<&'a Command>,
    texts: &'a [String],
    /// One for each text that was read.
    hidden: Vec<Hidden>,
    /// After `--`.
    only_values: bool,
}

impl<'a> Reader<'a> {
    /// Reads an argument, and the one after it if that is its value.
    fn next(&mut self) {
        let text = self.texts[self.hidden.len()].as_str();
        if self.only_values || !text.starts_with('-') || text == "-" {
            self.hidden.push(value(Holds::Target, text));
        } else if text == "--" {
            self.hidden.push(hide::text(text));
            self.command_behind();
        } else if let Some(long) = text.strip_prefix("--") {
            self.long(text, long);
        } else {
            self.cluster(text);
        }
    }

    /// Behind `--` only values follow, or a whole command: `distribute … -- load …`.
    fn command_behind(&mut self) {
        let follows = self.texts.get(self.hidden.len()).map(String::as_str);
        match self.command.is_some_and(|command| command.get_name() == "distribute") {
            true => self.command = follows.and_then(|name| self.root.find_subcommand(name)),
            false => self.only_values = true,
        }
    }

    fn long(&mut self, text: &str, long: &str) {
        let (name, given) = long.split_once('=').map_or((long, None), |(name, given)| (name, Some(given)));
        let Some(flag) = self.flag(|flag| flag.get_long_and_visible_aliases().is_some_and(|all| all.contains(&name)))
        else {
            // clap shows an argument that it does not know.
            return self.unknown(text);
        };
        match given {
            Some(given) => self.hidden.push(prefixed(&format!("--{name}="), value(holds(flag), given))),
            None => self.with_next(text, flag),
        }
    }

    /// `-ku bob:pw`, `-kubob:pw`: the first letter that takes a value takes the rest.
    fn cluster(&mut self, text: &str) {
        for (at, letter) in text.char_indices().skip(1) {
            let is = |flag: &Arg| flag.get_short_and_visible_aliases().is_some_and(|all| all.contains(&letter));
            let Some(flag) = self.flag(is) else { return self.unknown(text) };
            let (before, rest) = text.split_at(at + letter.len_utf8());
            if takes_value(flag) && !rest.is_empty() {
                let (sign, rest) = rest.strip_prefix('=').map_or(("", rest), |rest| ("=", rest));
                return self.hidden.push(prefixed(&format!("{before}{sign}"), value(holds(flag), rest)));
            }
            if takes_value(flag) {
                return self.with_next(text, flag);
            }
        }
        self.hidden.push(hide::text(text));
    }

    fn with_next(&mut self, text: &str, flag: &Arg) {
        self.hidden.push(hide::text(text));
        if takes_value(flag)
            && let Some(next) = self.texts.get(self.hidden.len())
        {
            self.hidden.push(value(holds(flag), next));
        }
    }

    fn unknown(&mut self, text: &str) {
        let before = self.hidden.len().checked_sub(1).map(|before| self.texts[before].as_str());
        self.hidden.push(hide::argument(before, text));
        if let Some(next) = self.texts.get(self.hidden.len()).filter(|next| !next.starts_with('-')) {
            self.hidden.push(hide::argument(Some(text), next));
        }
    }

    fn flag(&self, is: impl Fn(&Arg) -> bool) -> Option<&'a Arg> {
        self.command?.get_arguments().find(|flag| is(flag))
    }
}

fn prefixed(prefix: &str, hidden: Hidden) -> Hidden {
    Hidden { text: format!("{prefix}{}", hidden.text), ..hidden }
}

/// One that may do without takes what stands behind a `=` alone, as far as it matters here.
fn takes_value(flag: &Arg) -> bool {
    flag.get_action().takes_values() && flag.get_num_args().is_none_or(|range| range.min_values() > 0)
}

fn holds(flag: &Arg) -> Holds {
    let found = HOLDING.iter().find(|(id, _)| flag.get_id() == id);
    found.map_or(Holds::Nothing, |(_, holds)| *holds)
}

fn value(holds: Holds, text: &str) -> Hidden {
    match holds {
        Holds::Nothing => hide::text(text),
        Holds::User => hide::user(text),
        Holds::Token => Hidden::whole(text),
        Holds::Target if plimsoll_import::curl::is_command(text) => plimsoll_import::curl::outline(text),
        Holds::Url | Holds::Target => hide::url(text),
        Holds::Header => hide::header(text),
        Holds::Field => hide::field(text),
        Holds::Pairs => hide::pairs(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(line: &str) -> (String, Vec<String>) {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let Given { masked, secrets } = hide(&words);
        let shown =
            words.iter().zip(masked).map(|(word, masked)| masked.unwrap_or(word.to_string_lossy().into_owned()));
        (shown.collect::<Vec<_>>().join(" "), secrets)
    }

    #[test]
    fn secrets_are_found_wherever_they_stand() {
        for (given, expected) in [
            ("load h -u me:pw-1 -n 1", "load h -u (masked) -n 1"),
            ("load h -ume:pw-1", "load h -u(masked)"),
            ("load h -u=me:pw-1", "load h -u=(masked)"),
            ("load h -ku me:pw-1", "load h -ku (masked)"),
            ("load h -kume:pw-1", "load h -ku(masked)"),
            ("load h --user=me:pw-1 --unix-socket s", "load h --user=(masked) --unix-socket s"),
            ("load h --bearer pw-1", "load h --bearer (masked)"),
            ("load h -xhttp://me:pw-1@p:1", "load h -xhttp://(masked)@p:1"),
            ("load h --otlp http://me:pw-1@p:1", "load h --otlp http://(masked)@p:1"),
            ("load h -HX-Api-Key:pw-1 -n1", "load h -HX-Api-Key:(masked) -n1"),
            ("load me:pw-1@h/?q=1", "load (masked)@h/?q=1"),
            ("load h --form password=pw-1 --multipart a=b", "load h --form password=(masked) --multipart a=b"),
            ("load h -d password=pw-1&a=b", "load h -d password=(masked)&a=b"),
            ("load h --prometheus -u me:pw-1", "load h --prometheus -u (masked)"),
            ("load h --passwrod pw --pass pw-1", "load h --passwrod pw --pass (masked)"),
            ("load h -H X-A:pw-1 --bearer pw-1", "load h -H X-A:(masked) --bearer (masked)"),
            ("load -- me:pw-1@h", "load -- (masked)@h"),
            ("distribute --parts 2 -- load h -u me:pw-1", "distribute --parts 2 -- load h -u (masked)"),
            ("laod h -H Authorization:pw-1", "laod h -H Authorization:(masked)"),
        ] {
            let (shown, secrets) = masked(given);
            assert_eq!(shown, expected);
            assert!(secrets.contains(&"pw-1".to_owned()), "{given}: {secrets:?}");
        }
        let harmless = "load http://h:1/a?b=c -n 10k -H Accept:x -o html=a.html --key client-key.pem -t 3s";
        assert_eq!(masked(harmless), (harmless.to_owned(), Vec::new()));
    }

    #[test]
    fn every_flag_is_said_to_hold_secrets_or_not() {
        let commands = Cli::command();
        for command in commands.get_subcommands() {
            for flag in command.get_arguments().filter(|flag| flag.get_action().takes_values()) {
                let id = flag.get_id().as_str();
                let is_holding = HOLDING.iter().any(|(holding, _)| *holding == id);
                assert!(
                    is_holding != HARMLESS.split(' ').any(|harmless| harmless == id),
                    "{} {id}: may its value hold a secret? Say so in HOLDING or in HARMLESS",
                    command.get_name()
                );
            }
        }
    }
}
