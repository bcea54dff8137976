//! All executions of all records, newest first, as of now.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use plimsoll_record::{Execution, ExecutionStatus, Store, StoreError, store::Listed};

use crate::{
    digests::{Digested, Digests},
    kind::{Kind, State},
    records::{Record, Records},
    route::Place,
};

/// A record that was written so long ago at most is being written: intervals come every second.
pub const JUST_NOW: Duration = Duration::from_secs(10);

/// An execution in a list.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its record.
    pub record: Arc<Record>,
    /// Its place.
    pub place: Place,
    /// How it stands.
    pub state: State,
    /// Its plan in short, or why that cannot be read.
    pub facts: Result<Arc<Facts>, String>,
    /// Verdict and key figures; none while they are made, and as long as it is under way.
    pub digest: Option<Arc<Digested>>,
}

/// The plan of an execution in short.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    /// Short name.
    pub name: String,
    /// One line; may be empty.
    pub title: String,
    /// The command that it is of.
    pub kind: Kind,
    /// The command line.
    pub command: String,
    /// The commit that it ran at.
    pub commit: Option<String>,
    /// Start; none if it is no time.
    pub started: Option<Timestamp>,
    /// End.
    pub ended: Option<Timestamp>,
}

/// Everything there is to list.
pub struct Listing {
    /// Newest first.
    pub rows: Vec<Row>,
    /// Records that cannot be read, with the reason.
    pub unreadable: Vec<(Arc<Record>, String)>,
    /// Records that were found.
    pub records: Vec<Arc<Record>>,
}

type FactsOfListed = HashMap<Place, (Listed, Result<Arc<Facts>, String>)>;

/// The records and what is known of them.
pub struct Shelf {
    records: Records,
    digests: Digests,
    facts: Mutex<FactsOfListed>,
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
        let records = self.records.all();
        let mut listing = Listing { rows: Vec::new(), unreadable: Vec::new(), records: records.clone() };
        for record in records {
            match self.rows(&record) {
                Ok(rows) => listing.rows.extend(rows),
                Err(error) => listing.unreadable.push((record, error.to_string())),
            }
        }
        let key = |row: &Row| (row.facts.as_ref().ok().and_then(|facts| facts.started), row.place.id);
        listing.rows.sort_by_key(|row| std::cmp::Reverse(key(row)));
        for row in &mut listing.rows {
            if row.state != State::Live && row.facts.is_ok() {
                row.digest = self.digests.of(&row.place, &row.record.path);
            }
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
        let listed = store.listed()?;
        let is_written = is_written(record);
        let newest = listed.last().map(|it| it.id);
        let mut known = self.lock();
        let row = |listed: Listed| {
            let place = Place { key: record.key.clone(), id: listed.id };
            let facts = self.facts(&mut known, &store, &place, &listed);
            let status = listed.status.unwrap_or(ExecutionStatus::Failed);
            let state = State::of(status, is_written && newest == Some(listed.id));
            Row { record: record.clone(), place, state, facts, digest: None }
        };
        Ok(listed.into_iter().map(row).collect())
    }

    /// Read once, unless it has ended since: plans grow until then.
    fn facts(
        &self,
        known: &mut FactsOfListed,
        store: &Store,
        place: &Place,
        listed: &Listed,
    ) -> Result<Arc<Facts>, String> {
        if let Some((as_listed, facts)) = known.get(place).filter(|(as_listed, _)| as_listed == listed) {
            let _ = as_listed;
            return facts.clone();
        }
        self.digests.forget(place);
        let facts = store.execution(place.id).map(|it| Arc::new(Facts::of(&it))).map_err(|error| error.to_string());
        known.insert(place.clone(), (listed.clone(), facts.clone()));
        facts
    }

    fn lock(&self) -> MutexGuard<'_, FactsOfListed> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a process writes the record, as far as its files tell.
pub fn is_written(record: &Record) -> bool {
    record.written_ago().is_some_and(|ago| ago < JUST_NOW)
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
        }
    }

    /// The line for headings.
    pub fn heading(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}
