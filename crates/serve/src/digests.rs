//! Verdicts and key figures of executions, computed on a thread of their own: a list never waits for them.

use std::{
    collections::{HashMap, HashSet},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use plimsoll_analysis::analyse;
use plimsoll_record::Store;
use plimsoll_report::{Digest, digest};

use crate::route::Place;

/// An execution in short, or why it cannot be analysed.
pub type Digested = Result<Digest, String>;

/// An execution to be told in short.
struct Wanted {
    place: Place,
    path: PathBuf,
}

#[derive(Default)]
struct Known {
    digests: HashMap<Place, Arc<Digested>>,
    asked: HashSet<Place>,
}

/// All digests that are known, and the queue for further ones.
pub struct Digests {
    known: Arc<Mutex<Known>>,
    ask: Sender<Wanted>,
}

impl Digests {
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let (ask, asked) = mpsc::channel();
        let known: Arc<Mutex<Known>> = Arc::default();
        let kept = known.clone();
        thread::Builder::new().name("digests".to_owned()).spawn(move || digest_all(&asked, &kept))?;
        Ok(Self { known, ask })
    }

    /// The digest of an execution; none as long as it is being computed.
    pub fn of(&self, place: &Place, path: &Path) -> Option<Arc<Digested>> {
        let mut known = lock(&self.known);
        let found = known.digests.get(place).cloned();
        if found.is_none() && known.asked.insert(place.clone()) {
            // The thread runs as long as this sender exists.
            let _ = self.ask.send(Wanted { place: place.clone(), path: path.to_owned() });
        }
        found
    }

    /// Forgets an execution that has changed.
    pub fn forget(&self, place: &Place) {
        let mut known = lock(&self.known);
        known.digests.remove(place);
        known.asked.remove(place);
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

fn digest_all(asked: &Receiver<Wanted>, known: &Mutex<Known>) {
    let mut open: Option<Store> = None;
    while let Some(Wanted { place, path }) = next(asked, &mut open) {
        if open.as_ref().is_none_or(|store| store.path() != path) {
            open = Store::open_to_read(&path).ok();
        }
        let digested = match &open {
            // An execution that cannot be analysed must not stop the others.
            Some(store) => catch_unwind(AssertUnwindSafe(|| of(store, place.id)))
                .unwrap_or_else(|_| Err("it could not be analysed: please report that".to_owned())),
            None => Err(format!("{} cannot be opened any more", path.display())),
        };
        lock(known).digests.insert(place, Arc::new(digested));
    }
}

/// The next wanted execution. While none is wanted no record is open, so that SQLite leaves no files beside it.
fn next(asked: &Receiver<Wanted>, open: &mut Option<Store>) -> Option<Wanted> {
    asked.try_recv().ok().or_else(|| {
        *open = None;
        asked.recv().ok()
    })
}

fn of(store: &Store, id: i64) -> Digested {
    store.read(id).map(|data| digest(&analyse(&data))).map_err(|error| error.to_string())
}
