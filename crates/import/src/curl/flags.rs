//! curl's options: which there are, and which a command gives.

use plimsoll_text::nearest_first;

use super::shell::Word;
use crate::error::{ImportError, Source};

/// The purpose of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Url,
    Method,
    Header,
    Data,
    DataRaw,
    DataBinary,
    DataUrlencode,
    Json,
    Form,
    FormString,
    Upload,
    Get,
    Head,
    User,
    Bearer,
    UserAgent,
    Referer,
    Cookie,
    Insecure,
    Location,
    MaxRedirects,
    Proxy,
    UnixSocket,
    ConnectTo,
    Resolve,
    CaCert,
    Cert,
    Key,
    MaxTime,
    ConnectTimeout,
    Http1,
    Http2,
    Http2PriorKnowledge,
    /// URLs are taken as they are.
    GlobOff,
    /// Another request follows.
    Next,
    /// About what curl prints, which has no meaning here.
    Silent,
    /// Has a meaning that a load does not keep.
    LeftOut(&'static str),
}

struct Declared {
    short: Option<char>,
    long: &'static str,
    takes_value: bool,
    flag: Flag,
}

const fn with_value(short: Option<char>, long: &'static str, flag: Flag) -> Declared {
    Declared { short, long, takes_value: true, flag }
}

const fn alone(short: Option<char>, long: &'static str, flag: Flag) -> Declared {
    Declared { short, long, takes_value: false, flag }
}

const COMPRESSED: Flag =
    Flag::LeftOut("responses are counted as they come; ask for them with -H 'Accept-Encoding: gzip'");
const RETRIES: Flag = Flag::LeftOut("a load counts failures and does not repeat them");
const COOKIES: Flag = Flag::LeftOut("cookies are not written to a file");
const NETWORK: Flag = Flag::LeftOut("it has no counterpart in a load");

/// In the order of curl's `--help all`, roughly by what they are for.
const DECLARED: &[Declared] = &[
    with_value(None, "url", Flag::Url),
    with_value(Some('X'), "request", Flag::Method),
    with_value(Some('H'), "header", Flag::Header),
    with_value(Some('d'), "data", Flag::Data),
    with_value(None, "data-ascii", Flag::Data),
    with_value(None, "data-raw", Flag::DataRaw),
    with_value(None, "data-binary", Flag::DataBinary),
    with_value(None, "data-urlencode", Flag::DataUrlencode),
    with_value(None, "json", Flag::Json),
    with_value(Some('F'), "form", Flag::Form),
    with_value(None, "form-string", Flag::FormString),
    with_value(Some('T'), "upload-file", Flag::Upload),
    alone(Some('G'), "get", Flag::Get),
    alone(Some('I'), "head", Flag::Head),
    with_value(Some('u'), "user", Flag::User),
    alone(None, "basic", Flag::Silent),
    with_value(None, "oauth2-bearer", Flag::Bearer),
    with_value(Some('A'), "user-agent", Flag::UserAgent),
    with_value(Some('e'), "referer", Flag::Referer),
    with_value(Some('b'), "cookie", Flag::Cookie),
    with_value(Some('c'), "cookie-jar", COOKIES),
    alone(Some('j'), "junk-session-cookies", COOKIES),
    alone(Some('k'), "insecure", Flag::Insecure),
    alone(Some('L'), "location", Flag::Location),
    alone(None, "location-trusted", Flag::Location),
    with_value(None, "max-redirs", Flag::MaxRedirects),
    with_value(Some('x'), "proxy", Flag::Proxy),
    with_value(None, "unix-socket", Flag::UnixSocket),
    with_value(None, "connect-to", Flag::ConnectTo),
    with_value(None, "resolve", Flag::Resolve),
    with_value(None, "cacert", Flag::CaCert),
    with_value(Some('E'), "cert", Flag::Cert),
    with_value(None, "key", Flag::Key),
    with_value(Some('m'), "max-time", Flag::MaxTime),
    with_value(None, "connect-timeout", Flag::ConnectTimeout),
    alone(None, "http1.1", Flag::Http1),
    alone(None, "http2", Flag::Http2),
    alone(None, "http2-prior-knowledge", Flag::Http2PriorKnowledge),
    alone(Some('g'), "globoff", Flag::GlobOff),
    alone(Some(':'), "next", Flag::Next),
    alone(None, "compressed", COMPRESSED),
    with_value(None, "retry", RETRIES),
    with_value(None, "retry-delay", RETRIES),
    with_value(None, "retry-max-time", RETRIES),
    alone(None, "retry-all-errors", RETRIES),
    alone(None, "retry-connrefused", RETRIES),
    with_value(None, "limit-rate", NETWORK),
    with_value(None, "keepalive-time", NETWORK),
    alone(Some('4'), "ipv4", NETWORK),
    alone(Some('6'), "ipv6", NETWORK),
    alone(None, "ssl-no-revoke", NETWORK),
    alone(Some('1'), "tlsv1", NETWORK),
    alone(None, "tlsv1.2", NETWORK),
    alone(None, "tlsv1.3", NETWORK),
    alone(None, "tcp-nodelay", Flag::Silent),
    alone(Some('s'), "silent", Flag::Silent),
    alone(Some('S'), "show-error", Flag::Silent),
    alone(Some('v'), "verbose", Flag::Silent),
    alone(Some('i'), "include", Flag::Silent),
    alone(None, "show-headers", Flag::Silent),
    alone(Some('f'), "fail", Flag::Silent),
    alone(None, "fail-with-body", Flag::Silent),
    alone(Some('#'), "progress-bar", Flag::Silent),
    alone(None, "no-progress-meter", Flag::Silent),
    alone(Some('N'), "no-buffer", Flag::Silent),
    with_value(Some('o'), "output", Flag::Silent),
    alone(Some('O'), "remote-name", Flag::Silent),
    alone(Some('J'), "remote-header-name", Flag::Silent),
    with_value(None, "output-dir", Flag::Silent),
    alone(None, "create-dirs", Flag::Silent),
    with_value(Some('w'), "write-out", Flag::Silent),
    with_value(Some('D'), "dump-header", Flag::Silent),
    with_value(None, "stderr", Flag::Silent),
    with_value(None, "trace", Flag::Silent),
    with_value(None, "trace-ascii", Flag::Silent),
    alone(None, "trace-time", Flag::Silent),
    alone(Some('q'), "disable", Flag::Silent),
];

/// An option as it was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub flag: Flag,
    /// E.g. `-H`, as it was written.
    pub name: String,
    /// Empty for options that take none.
    pub value: Word,
    /// The byte at which the option begins.
    pub at: usize,
}

/// The options of a command, whose first word is curl itself.
pub(super) fn parse(source: Source<'_>, words: Vec<Word>) -> Result<Vec<Given>, ImportError> {
    let mut given = Vec::new();
    let mut words = words.into_iter().skip(1);
    let mut options_ended = false;
    while let Some(word) = words.next() {
        let text = String::from_utf8_lossy(&word.bytes).into_owned();
        if options_ended || !text.starts_with('-') || text == "-" {
            given.push(Given { flag: Flag::Url, name: "the URL".to_owned(), at: word.at, value: word });
        } else if text == "--" {
            options_ended = true;
        } else if let Some(long) = text.strip_prefix("--") {
            let declared = long_option(source, word.at, long)?;
            let value = value(source, declared, &text, word.at, &mut words)?;
            given.push(Given { flag: declared.flag, name: text, at: word.at, value });
        } else {
            short_options(source, &word, &text, &mut words, &mut given)?;
        }
    }
    Ok(given)
}

fn long_option(source: Source<'_>, at: usize, long: &str) -> Result<&'static Declared, ImportError> {
    if let Some(declared) = DECLARED.iter().find(|declared| declared.long == long) {
        return Ok(declared);
    }
    if let Some((name, value)) = long.split_once('=').filter(|(name, _)| DECLARED.iter().any(|d| d.long == *name)) {
        let message = format!("curl knows no `=` after an option: write `--{name} '{value}'`");
        return Err(source.error(at, message));
    }
    Err(unknown(source, at, &format!("--{long}")))
}

/// `-sSLH 'a: b'`: the first that takes a value takes the rest of the word, or the next word.
fn short_options(
    source: Source<'_>,
    word: &Word,
    text: &str,
    words: &mut impl Iterator<Item = Word>,
    given: &mut Vec<Given>,
) -> Result<(), ImportError> {
    for (index, character) in text.char_indices().skip(1) {
        let name = format!("-{character}");
        let Some(declared) = DECLARED.iter().find(|declared| declared.short == Some(character)) else {
            return Err(unknown(source, word.at, &name));
        };
        let rest = word.bytes.get(index + character.len_utf8()..).unwrap_or_default();
        let takes_rest = declared.takes_value && !rest.is_empty();
        let value = if takes_rest {
            Word { bytes: rest.to_vec(), at: word.at }
        } else {
            value(source, declared, &name, word.at, words)?
        };
        given.push(Given { flag: declared.flag, name, at: word.at, value });
        if takes_rest {
            break;
        }
    }
    Ok(())
}

fn value(
    source: Source<'_>,
    declared: &Declared,
    name: &str,
    at: usize,
    words: &mut impl Iterator<Item = Word>,
) -> Result<Word, ImportError> {
    if !declared.takes_value {
        return Ok(Word { bytes: Vec::new(), at });
    }
    words
        .next()
        .ok_or_else(|| source.error(at, format!("expected a value after `{name}`, found the end of the command")))
}

fn unknown(source: Source<'_>, at: usize, name: &str) -> ImportError {
    let names: Vec<String> = if name.starts_with("--") {
        DECLARED.iter().map(|declared| format!("--{}", declared.long)).collect()
    } else {
        DECLARED.iter().filter_map(|declared| declared.short).map(|short| format!("-{short}")).collect()
    };
    let known = nearest_first(names.iter().map(String::as_str), name);
    let message = format!("`{name}` is not supported: leave it out if the load can do without it; supported: {known}");
    source.error(at, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<Vec<(Flag, String)>, String> {
        let source = Source { name: "curl", text };
        let words = super::super::shell::split(source).map_err(|error| error.to_string())?.words;
        let given = parse(source, words).map_err(|error| error.to_string())?;
        Ok(given.into_iter().map(|given| (given.flag, String::from_utf8(given.value.bytes).unwrap())).collect())
    }

    #[test]
    fn options_are_read_long_short_and_combined() {
        let expected = [
            (Flag::Silent, ""),
            (Flag::Location, ""),
            (Flag::Header, "a: b"),
            (Flag::Method, "PUT"),
            (Flag::Url, "-x"),
        ];
        let expected = expected.map(|(flag, value)| (flag, value.to_owned())).to_vec();
        assert_eq!(given("curl -sLH 'a: b' -XPUT -- -x"), Ok(expected.clone()));
        assert_eq!(given("curl --silent --location -H'a: b' --request PUT -- -x"), Ok(expected));
    }

    #[test]
    fn unknown_options_are_named_with_their_place() {
        let error = given("curl -s --compresed x").unwrap_err();
        assert!(
            error.starts_with("curl:1:9: `--compresed` is not supported") && error.contains("`--compressed`"),
            "{error}"
        );
        assert!(given("curl -sy x").unwrap_err().contains("`-y` is not supported"));
        assert!(given("curl --header='a: b'").unwrap_err().contains("write `--header 'a: b'`"));
        assert!(given("curl x -H").unwrap_err().contains("expected a value after `-H`"));
    }

    #[test]
    fn no_name_is_declared_twice() {
        let mut names: Vec<String> = DECLARED.iter().map(|d| d.long.to_owned()).collect();
        names.extend(DECLARED.iter().filter_map(|d| d.short).map(String::from));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
