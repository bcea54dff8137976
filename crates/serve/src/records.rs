//! Records on disk: where they are, and the keys that name them in URLs.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use plimsoll_text::printable_line;

/// Name of a record's file in a directory.
const FILE: &str = "plimsoll.db";
/// Name of the directories that hold a record.
const DIRECTORY: &str = ".plimsoll";
/// Directories that are not looked into: they hold many files, but no project.
const LEFT_OUT: [&str; 2] = ["node_modules", "target"];
/// The most levels of directories that are looked into.
const DEPTH_MOST: usize = 5;
/// The most directories that are looked into.
pub const DIRECTORIES_MOST: usize = 20_000;
/// Time for which found records count: at least this, and at least so many times the duration of the search for them.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);
const TIMES_AS_LONG: u32 = 20;
/// A record that was written no longer ago than this is being written, as intervals come every second.
const JUST_NOW: Duration = Duration::from_secs(10);
/// Characters of a key.
const KEY_MOST: usize = 40;

/// A record.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name in URLs, of small letters, digits and `-`. It does not change while the program runs.
    pub key: String,
    /// The file.
    pub path: PathBuf,
    /// Path of the file for people, as it was found.
    pub label: String,
}

impl Record {
    /// Whether a process writes it, as far as its files tell.
    pub fn is_being_written(&self) -> bool {
        // Every write goes to the log first.
        self.used_log().and_then(|log| ago(log.modified().ok()?)).is_some_and(|ago| ago < JUST_NOW)
    }

    /// How long ago something was written; none if that is not known.
    pub fn written_ago(&self) -> Option<Duration> {
        ago(self.written_at()?)
    }

    /// The number of its file, which a record that was made anew does not have.
    pub fn file_number(&self) -> Option<u64> {
        fs::metadata(&self.path).ok().map(|it| it.ino())
    }

    /// When something was written last.
    pub fn written_at(&self) -> Option<SystemTime> {
        let file = fs::metadata(&self.path).ok();
        file.into_iter().chain(self.used_log()).filter_map(|it| it.modified().ok()).max()
    }

    /// The log. An empty one may be our own: reading makes one, too.
    fn used_log(&self) -> Option<fs::Metadata> {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        fs::metadata(log).ok().filter(|log| log.len() > 0)
    }
}

fn ago(moment: SystemTime) -> Option<Duration> {
    SystemTime::now().duration_since(moment).ok()
}

/// Records in files and directories, looked for again and again.
pub struct Records {
    places: Vec<PathBuf>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    records: Vec<Arc<Record>>,
    /// Whether the last search left directories out, since there are too many.
    is_cut: bool,
    look_again: Option<Instant>,
}

impl Records {
    /// Records in `places`, files or directories.
    pub fn new(places: Vec<PathBuf>) -> Self {
        Self { places, known: Mutex::default() }
    }

    /// All known records, in the order in which they were found; and whether there may be more, below more than
    /// [`DIRECTORIES_MOST`] directories.
    pub fn all(&self) -> (Vec<Arc<Record>>, bool) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if known.look_again.is_none_or(|moment| now >= moment) {
            let found = self.places.iter().map(|place| found_in(place, DIRECTORIES_MOST));
            let found: Vec<(Vec<PathBuf>, bool)> = found.collect();
            known.is_cut = found.iter().any(|(_, is_cut)| *is_cut);
            found.into_iter().flat_map(|(paths, _)| paths).for_each(|path| known.add(path));
            let took = now.elapsed();
            known.look_again = Some(now + took + LOOK_AGAIN_AFTER.max(took * TIMES_AS_LONG));
        }
        (known.records.clone(), known.is_cut)
    }

    /// The record of a key.
    pub fn of(&self, key: &str) -> Option<Arc<Record>> {
        self.all().0.into_iter().find(|record| record.key == key)
    }
}

impl Known {
    fn add(&mut self, path: PathBuf) {
        if self.records.iter().any(|known| known.path == path) {
            return;
        }
        let slug = slug(project(&path));
        let is_free = |key: &String| !self.records.iter().any(|known| known.key == *key);
        let numbered = (2_u32..).map(|number| format!("{slug}-{number}"));
        let key = std::iter::once(slug.clone()).chain(numbered).find(is_free).unwrap_or_default();
        let label = printable_line(&path.display().to_string()).into_owned();
        self.records.push(Arc::new(Record { key, path, label }));
    }
}

/// The name of the project that a record belongs to: of its directory, or else of the file itself.
fn project(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = whole.parent().filter(|parent| parent.file_name().is_some_and(|name| name == DIRECTORY));
    let named = match directory.and_then(Path::parent) {
        Some(project) => project.file_name(),
        None if whole.file_name().is_some_and(|name| name == FILE) => whole.parent().and_then(Path::file_name),
        None => whole.file_stem(),
    };
    named.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn slug(name: String) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(KEY_MOST).collect();
    // `compare` is a page, and numbers alone are no name.
    if slug.chars().any(|c| c.is_ascii_alphabetic()) {
        slug
    } else {
        format!("record-{slug}").trim_end_matches('-').to_owned()
    }
}

/// Records at a place: a file, which may not exist yet, or all records below a directory; and whether the `most`
/// directories that are looked into were too few.
fn found_in(place: &Path, most: usize) -> (Vec<PathBuf>, bool) {
    if !place.is_dir() {
        return (vec![place.to_owned()], false);
    }
    let mut found = Vec::new();
    let mut left = most;
    // Breadth first, so that near records are found first.
    let mut level = vec![place.to_owned()];
    for _ in 0..=DEPTH_MOST {
        let mut below = Vec::new();
        for directory in level {
            if left == 0 {
                return (found, true);
            }
            left -= 1;
            // A directory that cannot be read is left out.
            let _ = look_into(&directory, &mut found, &mut below);
        }
        below.sort();
        level = below;
    }
    (found, false)
}

fn look_into(directory: &Path, found: &mut Vec<PathBuf>, below: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        let Some(name) = name.to_str() else { continue };
        // Links are not followed, as they may lead in circles.
        if kind.is_dir() && (name == DIRECTORY || !(name.starts_with('.') || LEFT_OUT.contains(&name))) {
            below.push(entry.path());
        } else if kind.is_file() && name == FILE {
            found.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_below_a_directory_and_where_a_file_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for name in
            ["Shop/.plimsoll", "a/shop/.plimsoll", "node_modules/x/.plimsoll", ".hidden/.plimsoll", "1/2/3/4/5/6"]
        {
            fs::create_dir_all(path(name)).unwrap();
        }
        for name in [
            "Shop/.plimsoll/plimsoll.db",
            "a/shop/.plimsoll/plimsoll.db",
            "node_modules/x/.plimsoll/plimsoll.db",
            ".hidden/.plimsoll/plimsoll.db",
            "1/2/3/4/5/6/plimsoll.db",
            "Shop/other.db",
            "kept <b>.db",
        ] {
            fs::write(path(name), "").unwrap();
        }
        let records = Records::new(vec![directory.path().to_owned(), path("kept <b>.db"), path("Shop")]);
        let keys: Vec<String> = records.all().0.iter().map(|record| record.key.clone()).collect();
        assert_eq!(keys, ["shop", "shop-2", "kept-b"], "each once, near ones first");
        assert_eq!(records.of("shop-2").unwrap().path, path("a/shop/.plimsoll/plimsoll.db"));
        assert_eq!(records.of("other"), None);
        let shop = records.of("shop").unwrap();
        assert!(shop.written_ago().is_some() && !shop.is_being_written());
        let log = |content| fs::write(path("Shop/.plimsoll/plimsoll.db-wal"), content).unwrap();
        log("");
        assert!(!shop.is_being_written(), "an empty log is there while one reads");
        log("x");
        assert!(shop.is_being_written());
    }

    #[test]
    fn directories_beyond_the_most_are_left_out_and_that_is_known() {
        let directory = tempfile::tempdir().unwrap();
        for project in ["a", "b", "c"] {
            let record = directory.path().join(project).join(DIRECTORY);
            fs::create_dir_all(&record).unwrap();
            fs::write(record.join(FILE), "").unwrap();
        }
        let found = |most| {
            let (found, is_cut) = found_in(directory.path(), most);
            (found.len(), is_cut)
        };
        assert_eq!(found(7), (3, false));
        assert_eq!(found(6), (2, true));
    }

    #[test]
    fn keys_are_plain_whatever_the_directory_is_called() {
        let slug = |name: &str| slug(name.to_owned());
        assert_eq!(slug("My Shop (2)"), "my-shop-2");
        assert_eq!(slug("../../etc"), "etc");
        assert_eq!(slug("<script>alert(1)</script>"), "script-alert-1-script");
        assert_eq!(slug("안녕"), "record");
        assert_eq!(slug("2026"), "record-2026");
        assert_eq!(slug(&"x".repeat(300)).len(), KEY_MOST);
    }
}
