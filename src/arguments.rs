//! The arguments of this process, kept out of the process list, where everyone on the machine can read them for as long
//! as a load takes. If they hold a secret, the program executes itself once more, early, with masked arguments. The
//! true ones are handed over in a file in memory that only this user can open. It stays the same process for whoever
//! started it: its number, its standard streams and its exit code.
//!
//! curl overwrites its arguments in place; that needs the memory they came in, which safe code has no hold of.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::{
        fd::AsRawFd,
        unix::{ffi::OsStrExt, process::CommandExt},
    },
    path::PathBuf,
    process::{self, Command},
    sync::OnceLock,
};

use rustix::fs::{MemfdFlags, memfd_create};

use crate::cli::secrets::{self, Given};

/// Variable with `PROCESS:DESCRIPTOR`. A process that this one starts has another number, and ignores it.
const HANDED_OVER: &str = "PLIMSOLL_ARGUMENTS";
const NAME: &str = "plimsoll-arguments";

static COMMAND: OnceLock<String> = OnceLock::new();

/// The arguments as they were given, the program's name first. Their secrets are learned, and hidden from the process
/// list where that can be done: without `/proc` it cannot, and they stay visible.
pub fn take() -> Vec<OsString> {
    let own: Vec<OsString> = env::args_os().collect();
    let handed_over = handed_over();
    let is_first = handed_over.is_none();
    let given = handed_over.unwrap_or(own);
    let hidden = secrets::hide(given.get(1..).unwrap_or_default());
    if is_first && hidden.masked.iter().any(Option::is_some) {
        // Arguments that cannot be hidden must not fail the load.
        let _ = execute_masked(&given, &hidden);
    }
    let shown = given.iter().skip(1).zip(&hidden.masked).map(|(own, masked)| quoted(own, masked.as_deref()));
    let command: Vec<String> = std::iter::once("plimsoll".to_owned()).chain(shown).collect();
    COMMAND.get_or_init(|| command.join(" "));
    plimsoll_secrets::learn(hidden.secrets);
    given
}

/// The command line as it is recorded, without secrets.
pub fn command_line() -> String {
    COMMAND.get().cloned().unwrap_or_default()
}

fn quoted(own: &OsStr, masked: Option<&str>) -> String {
    let shown = masked.map_or_else(|| own.to_string_lossy(), Into::into);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    let is_all_plain = !shown.is_empty() && shown.replace(plimsoll_secrets::MASK, "").chars().all(is_plain);
    if is_all_plain { shown.into_owned() } else { format!("'{}'", shown.replace('\'', r"'\''")) }
}

/// Becomes this program again. Returns only if that fails.
fn execute_masked(given: &[OsString], hidden: &Given) -> io::Result<()> {
    // The file survives `exec`, and is emptied once it is read.
    let file = memfd_create(NAME, MemfdFlags::empty())?;
    let path = descriptor_path(file.as_raw_fd());
    // Without `/proc` the arguments could not be read again.
    let mut file = OpenOptions::new().write(true).open(path).map(|opened| (opened, file))?;
    file.0.write_all(&joined(given))?;
    let masked = given.iter().skip(1).zip(&hidden.masked);
    let masked: Vec<OsString> = masked.map(|(own, masked)| masked.as_ref().map_or(own.clone(), Into::into)).collect();
    let handed_over = format!("{}:{}", process::id(), file.1.as_raw_fd());
    let again = |program: PathBuf| {
        let mut command = Command::new(program);
        command.arg0(given.first().map_or(OsStr::new("plimsoll"), OsString::as_os_str));
        command.args(&masked).env(HANDED_OVER, &handed_over).exec()
    };
    // Executed by its path, so that process lists show its name.
    env::current_exe().map(again)?;
    Err(again(PathBuf::from("/proc/self/exe")))
}

/// The arguments that this process left before it executed the program again; none if it did not.
fn handed_over() -> Option<Vec<OsString>> {
    let text = env::var(HANDED_OVER).ok()?;
    let (process, descriptor) = text.split_once(':')?;
    if process.parse() != Ok(process::id()) {
        return None;
    }
    let path = descriptor_path(descriptor.parse().ok()?);
    let is_ours = fs::read_link(&path).is_ok_and(|link| link.as_os_str().as_bytes().starts_with(b"/memfd:plimsoll-"));
    let mut file = OpenOptions::new().read(true).write(true).open(path).ok().filter(|_| is_ours)?;
    let arguments = split(&read_whole(&mut file)?);
    // Emptied, since processes that are started from here inherit it.
    file.set_len(0).ok()?;
    Some(arguments)
}

fn read_whole(file: &mut File) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok().filter(|&length| length > 0)?;
    Some(bytes)
}

fn descriptor_path(descriptor: i32) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{descriptor}"))
}

/// All arguments, each with a zero byte at its end.
fn joined(arguments: &[OsString]) -> Vec<u8> {
    arguments.iter().flat_map(|argument| argument.as_bytes().iter().copied().chain([0])).collect()
}

fn split(bytes: &[u8]) -> Vec<OsString> {
    let all = bytes.split(|&byte| byte == 0);
    let mut arguments: Vec<OsString> = all.map(|argument| OsStr::from_bytes(argument).to_owned()).collect();
    arguments.pop();
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_handed_over_as_they_are() {
        let given = ["plimsoll", "", "a b", "안녕"].map(OsString::from);
        assert_eq!(split(&joined(&given)), given);
        let bytes = [OsString::from("x"), OsStr::from_bytes(b"\xff\xfe").to_owned()];
        assert_eq!(split(&joined(&bytes)), bytes);
    }

    #[test]
    fn words_are_quoted_as_shells_need_it() {
        let of = |text: &str, masked: Option<&str>| quoted(OsStr::new(text), masked);
        assert_eq!(of("http://h/", None), "http://h/");
        assert_eq!(of("it's", None), r"'it'\''s'");
        assert_eq!(of("x", Some("-u(masked)")), "-u(masked)");
        assert_eq!(of("x", Some("A: (masked)")), "'A: (masked)'");
    }
}
