//! All executions of all records, newest first, as of now.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use jiff::Timestamp;
use plimsoll_record::{Execution, ExecutionStatus, Store, StoreError, store::Standing};
use plimsoll_report::{Digest, digest_of_summary};

use crate::{
    digests::{Digested, Digests},
    kind::{Kind, State},
    records::{Record, Records},
    route::Place,
};

/// An execution in a list.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its record.
    pub record: Arc<Record>,
    /// Its place.
    pub place: Place,
    /// Its state.
    pub state: State,
    /// Its plan in short, or why that cannot be read.
    pub facts: Result<Arc<Facts>, String>,
    /// Verdict and key figures; none while they are computed, or the execution is under way.
    pub digest: Option<Arc<Digested>>,
}

/// The plan of an execution in short.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    /// Short name.
    pub name: String,
    /// One line; may be empty.
    pub title: String,
    /// The command that made it.
    pub kind: Kind,
    /// The command line.
    pub command: String,
    /// The commit that it ran at.
    pub commit: Option<String>,
    /// Start; none if it is not a valid time.
    pub started: Option<Timestamp>,
    /// End.
    pub ended: Option<Timestamp>,
    /// Verdict and key figures, where the record has kept them.
    pub kept: Option<Digest>,
}

/// The contents of the list.
pub struct Listing {
    /// Newest first.
    pub rows: Vec<Row>,
    /// Records that cannot be read, with the reason.
    pub unreadable: Vec<(Arc<Record>, String)>,
    /// Records that were found.
    pub records: Vec<Arc<Record>>,
    /// Whether there may be more, in directories that were left out.
    pub is_cut: bool,
}

/// The state of an execution in which its facts were read: they count as long as it is the same.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    listed: Standing,
    file: Option<u64>,
    /// When its record was written last; none once it has ended, or another one follows.
    written: Option<SystemTime>,
}

type KnownFacts = HashMap<Place, (Seen, Result<Arc<Facts>, String>)>;

/// The records, with facts and digests of their executions.
pub struct Shelf {
    records: Records,
    digests: Digests,
    facts: Mutex<KnownFacts>,
}

impl Shelf {
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new(places: Vec<PathBuf>) -> io::Result<Self> {
        Ok(Self { records: Records::new(places), digests: Digests::start()?, facts: Mutex::default() })
    }

    /// All executions.
    pub fn list(&self) -> Listing {
        let (records, is_cut) = self.records.all();
        let mut listing = Listing { rows: Vec::new(), unreadable: Vec::new(), records: records.clone(), is_cut };
        for record in records {
            match self.rows(&record) {
                Ok(rows) => listing.rows.extend(rows),
                Err(error) => listing.unreadable.push((record, error.to_string())),
            }
        }
        let key = |row: &Row| (row.facts.as_ref().ok().and_then(|facts| facts.started), row.place.id);
        listing.rows.sort_by_key(|row| std::cmp::Reverse(key(row)));
        for row in &mut listing.rows {
            let Some(facts) = row.facts.as_ref().ok().filter(|_| row.state != State::Live) else { continue };
            let kept = facts.kept.as_ref().map(|digest| Arc::new(Ok(digest.clone())));
            row.digest = kept.or_else(|| self.digests.of(&row.place, &row.record.path));
        }
        listing
    }

    /// The record of an execution, open.
    pub fn open(&self, place: &Place) -> Option<(Arc<Record>, Result<Store, StoreError>)> {
        let record = self.records.of(&place.key)?;
        let store = Store::open_to_read(&record.path);
        Some((record, store))
    }

    fn rows(&self, record: &Arc<Record>) -> Result<Vec<Row>, StoreError> {
        let store = Store::open_to_read(&record.path)?;
        let listed = store.standing()?;
        let is_written = record.is_being_written();
        let newest = listed.last().map(|it| it.id);
        let (file, written) = (record.file_number(), record.written_at());
        let mut known = self.lock();
        let row = |listed: Standing| {
            let place = Place { key: record.key.clone(), id: listed.id };
            let status = listed.status.unwrap_or(ExecutionStatus::Failed);
            let written = written.filter(|_| status == ExecutionStatus::Running && newest == Some(listed.id));
            let seen = Seen { listed: listed.clone(), file, written };
            let facts = self.facts(&mut known, &store, &place, seen);
            let state = State::of(status, is_written && newest == Some(listed.id));
            Row { record: record.clone(), place, state, facts, digest: None }
        };
        Ok(listed.into_iter().map(row).collect())
    }

    /// The facts of an execution, read once, and again as long as it goes on: plans and figures grow until it ends.
    fn facts(&self, known: &mut KnownFacts, store: &Store, place: &Place, seen: Seen) -> Result<Arc<Facts>, String> {
        let is_known = |(before, _): &&(Seen, _)| *before == seen;
        if let Some((_, facts)) = known.get(place).filter(is_known) {
            return facts.clone();
        }
        self.digests.forget(place);
        let facts = read(store, place.id).map(Arc::new).map_err(|error| error.to_string());
        known.insert(place.clone(), (seen, facts.clone()));
        facts
    }

    fn lock(&self) -> MutexGuard<'_, KnownFacts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The facts of an execution, with the digest of the summary in the record. Explanations and proofs have none, since
/// their answers are not among the key figures.
fn read(store: &Store, id: i64) -> Result<Facts, StoreError> {
    let facts = Facts::of(&store.execution(id)?);
    let is_among = matches!(facts.kind, Kind::Experiment | Kind::Load | Kind::Line);
    let summary = if is_among { store.summary(id)? } else { None };
    Ok(Facts { kept: summary.as_ref().and_then(digest_of_summary), ..facts })
}

impl Facts {
    /// The facts of an execution.
    pub fn of(execution: &Execution) -> Self {
        let (plan, environment) = (&execution.plan, &execution.environment);
        Self {
            name: plan.name.clone(),
            title: plan.title.clone(),
            kind: Kind::of(plan),
            command: environment.command.clone(),
            commit: environment.git_commit.clone(),
            started: execution.started_at.parse().ok(),
            ended: execution.ended_at.as_ref().and_then(|moment| moment.parse().ok()),
            kept: None,
        }
    }

    /// The line for headings.
    pub fn heading(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        thread,
        time::{Duration, Instant},
    };

    use plimsoll_record::{Environment, Plan};

    use super::*;

    fn listed(shelf: &Shelf) -> Vec<(String, State)> {
        shelf.list().rows.iter().map(|row| (row.place.to_string(), row.state)).collect()
    }

    #[test]
    fn newest_first_across_records_and_what_ends_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["a.db", "b.db"].map(|name| directory.path().join(name));
        let [mut a, mut b] = paths.each_ref().map(|path| Store::open(path).unwrap());
        let plan = Plan { name: "load".to_owned(), ..Plan::default() };
        let begin = |store: &mut Store, moment| store.begin_execution(&plan, &Environment::default(), moment).unwrap();
        begin(&mut b, "2026-01-01T11:00:00Z");
        begin(&mut a, "2026-01-01T10:00:00.5Z");
        begin(&mut a, "2026-01-01T12:00:00Z");
        let shelf = Shelf::new(paths.to_vec()).unwrap();
        let place = |text: &str| text.to_owned();
        let expected = [(place("a/2"), State::Live), (place("b/1"), State::Live), (place("a/1"), State::Unfinished)];
        assert_eq!(listed(&shelf), expected, "only the newest of a record goes on");
        a.end_execution(2, ExecutionStatus::Interrupted, "2026-01-01T12:00:30Z").unwrap();
        assert_eq!(listed(&shelf)[0], (place("a/2"), State::Interrupted));
        assert!(shelf.list().rows[0].facts.as_ref().unwrap().ended.is_some());
        let began = Instant::now();
        while shelf.list().rows[0].digest.is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "no digest is made");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(shelf.list().rows[1].digest.is_none(), "none of what goes on");
    }

    #[test]
    fn a_row_that_cannot_be_read_stands_beside_the_others() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.db");
        let mut store = Store::open(&path).unwrap();
        for moment in ["2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z"] {
            store.begin_execution(&Plan::default(), &Environment::default(), moment).unwrap();
        }
        drop(store);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(5).position(|window| window == b"\"name").unwrap();
        bytes[at] = b'x';
        std::fs::write(&path, bytes).unwrap();
        let rows = Shelf::new(vec![path]).unwrap().list().rows;
        let unreadable: Vec<&Row> = rows.iter().filter(|row| row.facts.is_err()).collect();
        assert_eq!((rows.len(), unreadable.len()), (2, 1));
        let why = unreadable[0].facts.as_ref().unwrap_err();
        assert!(why.contains("malformed JSON"), "{why}");
    }
}
