//! The program that serves a target's requests, as it is seen from outside.

use std::fs;

use plimsoll_record::ServerSeen;

use crate::{libraries, read};

/// The last of a target's processes, parents before their children, that has libraries whose settings are known, else
/// the last that may be looked at; none if none may be.
pub fn of(pids: &[i32]) -> Option<ServerSeen> {
    let seen = |&pid: &i32| Some(ServerSeen { process: name(pid)?, libraries: libraries::of(pid) });
    let mut all: Vec<ServerSeen> = pids.iter().rev().take(MOST).filter_map(seen).collect();
    let best = all.iter().position(|it| !it.libraries.is_empty()).unwrap_or(0);
    (!all.is_empty()).then(|| all.swap_remove(best))
}

/// Servers that fork have many processes that are alike.
const MOST: usize = 8;

/// The kernel's name of a process.
pub(crate) fn name(pid: i32) -> Option<String> {
    Some(read::text(format!("/proc/{pid}/comm"))?.trim().to_owned())
}

/// Name of the file that a process executes: a script's is its interpreter.
pub(crate) fn program(pid: i32) -> Option<String> {
    let path = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    Some(path.file_name()?.to_string_lossy().trim_end_matches(" (deleted)").to_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs::File, process};

    use super::*;

    #[test]
    fn a_process_is_told_by_its_name_and_by_its_libraries() {
        let folder = tempfile::tempdir().expect("a directory");
        let _open = File::create(folder.path().join("helidon-webserver-4.3.3.jar")).expect("a file");
        let own = i32::try_from(process::id()).expect("a pid fits");
        let seen = of(&[own]).expect("this process");
        assert!(!seen.process.is_empty());
        let executed = std::env::current_exe().expect("a path");
        assert_eq!(program(own).as_deref(), executed.file_name().and_then(|it| it.to_str()));
        assert_eq!(program(i32::MAX), None);
        assert!(seen.libraries.contains(&"helidon-webserver-4.3.3".to_owned()), "{seen:?}");
        assert_eq!(of(&[i32::MAX]), None);
        assert_eq!(of(&[own, i32::MAX]).map(|it| it.process), Some(seen.process), "one that has ended");
    }
}
