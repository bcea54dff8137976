//! The cost of making an artifact, kept beside it: it is told while another one of its name is made, and in reports.

use std::{fs, path::Path};

use plimsoll_observe::read;
use plimsoll_record::Making;

use super::PrepareError;
use crate::clock;

const FILE: &str = "making.json";
/// Hexadecimal digits of the key that ends a directory's name.
const KEY: usize = 16;

/// Makes something in `dir` and leaves its cost there. A cost that cannot be written is no reason to fail.
pub(super) fn measured(dir: &Path, make: impl FnOnce() -> Result<(), PrepareError>) -> Result<(), PrepareError> {
    let (started, cpu) = (clock::now(), read::waited_cpu().unwrap_or_default());
    make()?;
    let cpu = read::waited_cpu().unwrap_or_default() - cpu;
    let making = Making { took: clock::now() - started, cpu };
    if let Ok(text) = serde_json::to_string(&making) {
        let _ = fs::write(dir.join(FILE), text);
    }
    Ok(())
}

/// The cost of what is in `dir`; none if it was not made here.
pub(super) fn of(dir: &Path) -> Option<Making> {
    serde_json::from_str(&fs::read_to_string(dir.join(FILE)).ok()?).ok()
}

/// The cost of the newest artifact of this name in the cache's directory, whatever its key.
pub(super) fn last(cache: &Path, name: &str) -> Option<Making> {
    let entries = fs::read_dir(cache).ok()?.flatten();
    let is_of_name = |file: &str| {
        let key = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
        key.is_some_and(|key| key.len() == KEY && key.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_of_name));
    let costs = named.filter_map(|entry| {
        let file = entry.path().join(FILE);
        Some((fs::metadata(file).ok()?.modified().ok()?, of(&entry.path())?))
    });
    costs.max_by_key(|(at, _)| *at).map(|(_, making)| making)
}

#[cfg(test)]
mod tests {
    use std::{process::Command, time::Duration};

    use plimsoll_record::Nanos;

    use super::*;

    #[test]
    fn children_that_ended_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        measured(dir.path(), || {
            // Long enough for a clock tick or two.
            Command::new("sh").args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"]).status().unwrap();
            Ok(())
        })
        .unwrap();
        let making = of(dir.path()).unwrap();
        assert!(making.cpu > Nanos::ZERO && making.took > Nanos::ZERO, "{making:?}");
    }

    #[test]
    fn a_failure_has_no_cost() {
        let dir = tempfile::tempdir().unwrap();
        assert!(measured(dir.path(), || Err(PrepareError::failed("no"))).is_err());
        assert_eq!(of(dir.path()), None);
    }

    #[test]
    fn the_last_one_of_a_name_is_found_whatever_its_key() {
        let cache = tempfile::tempdir().unwrap();
        let put = |name: &str, seconds: u64| {
            let dir = cache.path().join(name);
            fs::create_dir(&dir).unwrap();
            let making = Making { took: Nanos::from_secs(seconds), cpu: Nanos::ZERO };
            fs::write(dir.join(FILE), serde_json::to_string(&making).unwrap()).unwrap();
            let file = fs::File::open(dir.join(FILE)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000 + seconds)).unwrap();
        };
        put("web-native-0123456789abcdef", 500);
        put("web-native-fedcba9876543210", 600);
        put("web-native-vt-0123456789abcdef", 900);
        fs::create_dir(cache.path().join("web-native-aaaaaaaaaaaaaaaa")).unwrap();
        assert_eq!(last(cache.path(), "web-native").map(|making| making.took), Some(Nanos::from_secs(600)));
        assert_eq!(last(cache.path(), "web"), None);
    }
}
