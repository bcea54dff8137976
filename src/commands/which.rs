//! Executions by the words that people have for them.

use std::path::Path;

use plimsoll_lab::git;
use plimsoll_record::{ExecutionStatus, Listed, Store};
use plimsoll_text::{counted, did_you_mean, quoted};

use crate::{cli::RecordArgs, failure::Failure};

const EXPECTED: &str = "expected `last` or a number from `plimsoll list`, `last~1`, `NAME:last`, or `baseline NAME`";

/// End of a commit's id where files were changed and not committed.
const DIRTY: &str = "-dirty";

/// An execution, as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Which<'a> {
    Number(i64),
    /// The newest but so many, of the experiment of that name if one is given.
    Last(Option<&'a str>, usize),
    Baseline(&'a str),
}

impl RecordArgs {
    /// The number of one execution.
    pub fn resolve(&self, which: &str) -> Result<i64, Failure> {
        // A record's path in its place is an error even where there is no record to open.
        parsed(which)?;
        resolve(&Store::open_existing(self.path())?, which)
    }
}

fn resolve(store: &Store, which: &str) -> Result<i64, Failure> {
    match parsed(which)? {
        Which::Number(number) => Ok(number),
        Which::Last(None, 0) => store.last()?.ok_or_else(|| nothing(store.path())),
        Which::Last(name, back) => {
            let listed = match name {
                Some(name) => store.listed_of(name)?,
                None => store.listed()?,
            };
            let index = back.checked_add(1).and_then(|back| listed.len().checked_sub(back));
            let found = index.and_then(|index| listed.get(index));
            found.map(|it| it.id).ok_or_else(|| absent(store, name, listed.len()))
        }
        Which::Baseline(name) => baseline(store, name),
    }
}

fn parsed(which: &str) -> Result<Which<'_>, Failure> {
    let unknown = || Failure::input(format_args!("{EXPECTED}, found `{which}`{}", as_a_path(which)));
    if let Some(name) = which.strip_prefix("baseline ").or_else(|| which.strip_prefix("baseline:")) {
        return Ok(Which::Baseline(name.trim()));
    }
    if let Ok(number) = which.parse() {
        return Ok(Which::Number(number));
    }
    let (name, last) = which.rsplit_once(':').map_or((None, which), |(name, last)| (Some(name), last));
    let back = match last.strip_prefix("last").ok_or_else(unknown)? {
        "" => 0,
        back => back.strip_prefix('~').and_then(|it| it.parse().ok()).ok_or_else(unknown)?,
    };
    Ok(Which::Last(name, back))
}

/// The remedy where a path was meant.
fn as_a_path(which: &str) -> String {
    let path = Path::new(which);
    if path.exists() {
        format!("; a record is named by `--record {which}`")
    } else if path.extension().is_some() || which.contains('/') {
        "; no such file is there, and a record is named by `--record FILE`".to_owned()
    } else {
        String::new()
    }
}

/// The execution that a baseline names.
pub fn baseline(store: &Store, name: &str) -> Result<i64, Failure> {
    let all = store.baselines()?;
    let found = all.iter().find(|it| it.name == name).map(|it| it.execution);
    found.ok_or_else(|| {
        let names = all.iter().map(|it| it.name.as_str());
        let there = match all.len() {
            0 => "there is none yet".to_owned(),
            _ => format!("there are {}{}", quoted(names.clone()), did_you_mean(names, name)),
        };
        Failure::input(format_args!(
            "{}: no baseline `{name}`: {there}; `plimsoll baseline set {name}` names the last execution",
            store.path().display()
        ))
    })
}

fn nothing(path: &Path) -> Failure {
    Failure::input(format_args!(
        "{}: nothing was recorded yet; `plimsoll run FILE` or `plimsoll load URL` does",
        path.display()
    ))
}

pub fn absent(store: &Store, name: Option<&str>, there: usize) -> Failure {
    let path = store.path().display();
    let (is_there, there) = (there > 0, counted(there as u64, "execution"));
    let Some(name) = name else {
        return Failure::input(format_args!("{path}: it has {there}; `plimsoll list` shows them"));
    };
    if is_there {
        return Failure::input(format_args!("{path}: it has {there} of `{name}`; `plimsoll list` shows them"));
    }
    let mut names: Vec<String> = store.listed().unwrap_or_default().into_iter().map(|it| it.name).collect();
    names.sort();
    names.dedup();
    let names = names.iter().map(String::as_str);
    let known = quoted(names.clone());
    Failure::input(format_args!(
        "{path}: no execution of `{name}`: there are some of {known}{}",
        did_you_mean(names, name)
    ))
}

/// Two executions: the earlier one and the later one.
pub fn two(store: &Store, words: &[String]) -> Result<[i64; 2], Failure> {
    let references = joined(words);
    match references.as_slice() {
        [range] if range.contains("..") => of_commits(store, range),
        [before] => Ok([resolve(store, before)?, resolve(store, "last")?]),
        [before, after] => Ok([resolve(store, before)?, resolve(store, after)?]),
        more => Err(Failure::input(format_args!(
            "expected two executions, the earlier one first, found {}: {}",
            more.len(),
            more.join(", ")
        ))),
    }
}

/// `baseline` with the name that follows it.
fn joined(words: &[String]) -> Vec<String> {
    let mut references: Vec<String> = Vec::new();
    for word in words {
        match references.last_mut() {
            Some(before) if before == "baseline" => *before = format!("baseline {word}"),
            _ => references.push(word.clone()),
        }
    }
    references
}

/// The newest execution at a commit, and the newest of the same experiment at an earlier one.
fn of_commits(store: &Store, range: &str) -> Result<[i64; 2], Failure> {
    let (before, after) = range.split_once("..").unwrap_or((range, ""));
    let commit = |name: &str| commit_of(if name.is_empty() { "HEAD" } else { name });
    let (before, after) = (commit(before)?, commit(after.trim_start_matches('.'))?);
    let listed = store.listed()?;
    let at = |commit: &Commit, experiment: Option<&str>| -> Result<Listed, Failure> {
        let is_it = |it: &&Listed| {
            let own = it.environment.git_commit.as_deref().map(|own| own.trim_end_matches(DIRTY));
            let is_ended = it.status == ExecutionStatus::Done;
            is_ended && own == Some(&commit.id) && experiment.is_none_or(|experiment| it.name == experiment)
        };
        // One with changes that were not committed is another commit's as much as this one's.
        let is_clean =
            |it: &&Listed| is_it(it) && !it.environment.git_commit.as_deref().is_some_and(|own| own.ends_with(DIRTY));
        listed.iter().rfind(is_clean).or_else(|| listed.iter().rfind(is_it)).cloned().ok_or_else(|| {
            let of = experiment.map(|experiment| format!(" of `{experiment}`")).unwrap_or_default();
            let short = commit.id.get(..12).unwrap_or(&commit.id);
            Failure::input(format_args!(
                "{}: no execution{of} at {} ({short}): check it out and run it there",
                store.path().display(),
                commit.name
            ))
        })
    };
    let after = at(&after, None)?;
    Ok([at(&before, Some(&after.name))?.id, after.id])
}

struct Commit {
    name: String,
    id: String,
}

fn commit_of(name: &str) -> Result<Commit, Failure> {
    // A name that begins with a dash would be a flag to git.
    let revision = format!("{name}^{{commit}}");
    let id = git::run(Path::new("."), &["rev-parse", "--verify", "--end-of-options", &revision]);
    let id =
        id.map_err(|why| Failure::input(format_args!("{name}: expected a commit of the git repository here: {why}")))?;
    Ok(Commit { name: name.to_owned(), id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_have_several_names() {
        let read = |text| parsed(text).ok();
        assert_eq!(read("7"), Some(Which::Number(7)));
        assert_eq!(read("last"), Some(Which::Last(None, 0)));
        assert_eq!(read("last~2"), Some(Which::Last(None, 2)));
        assert_eq!(read("orders:last~1"), Some(Which::Last(Some("orders"), 1)));
        assert_eq!(read("a:b:last"), Some(Which::Last(Some("a:b"), 0)));
        assert_eq!(read("baseline main"), Some(Which::Baseline("main")));
        assert_eq!(read("baseline:main"), Some(Which::Baseline("main")));
        for wrong in ["", "first", "last~", "last~x", "lastly", "7th", "orders:7"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_name_of_a_baseline_is_the_word_after_it() {
        let words = |words: &[&str]| joined(&words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(words(&["baseline", "main"]), ["baseline main"]);
        assert_eq!(words(&["baseline", "main", "last"]), ["baseline main", "last"]);
        assert_eq!(words(&["3", "baseline", "main"]), ["3", "baseline main"]);
        assert_eq!(words(&["3", "7"]), ["3", "7"]);
    }
}
