//! The view of a running load, on a thread of its own: the driver's thread only hands over what was measured.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use plimsoll_drive::Job;
use plimsoll_record::{Interval, Plan};

use super::{PLAIN_EVERY, dashboard::Dashboard, screen::Screen, shown};

/// Often enough for a clock that ticks, and for a terminal that is resized.
const DRAW_EVERY: Duration = Duration::from_millis(500);

/// Shows a load until it is dropped.
pub struct Watch {
    view: Arc<Mutex<View>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct View {
    dashboard: Dashboard,
    screen: Option<Screen>,
    started: Instant,
    quiet: bool,
}

/// Says something above the view, from any thread.
#[derive(Clone)]
pub struct Voice(Arc<Mutex<View>>);

impl Watch {
    /// `quiet` leaves out progress; what must be said is said.
    pub fn new(job: &Job, quiet: bool) -> Self {
        Self::of(Dashboard::new(job), quiet)
    }

    /// The same of a load that others offer.
    pub fn of_plan(plan: &Plan, quiet: bool) -> Self {
        Self::of(Dashboard::of_plan(plan), quiet)
    }

    fn of(dashboard: Dashboard, quiet: bool) -> Self {
        let screen = if quiet { None } else { Screen::new(crate::commands::wants_colour()) };
        let view = View { dashboard, screen, started: Instant::now(), quiet };
        Self { view: Arc::new(Mutex::new(view)), end: None, thread: None }
    }

    /// The load begins: from now on it is shown.
    pub fn begin(&mut self) {
        let mut view = lock(&self.view);
        view.started = Instant::now();
        let every = if view.screen.is_some() { DRAW_EVERY } else { PLAIN_EVERY };
        let (end, ended) = mpsc::channel::<()>();
        let shown = self.view.clone();
        self.end = Some(end);
        self.thread = Some(thread::spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                lock(&shown).show();
            }
        }));
    }

    /// Takes in what was measured in a second of a scenario.
    pub fn add(&self, scenario: usize, interval: &Interval) {
        lock(&self.view).dashboard.add(scenario, interval);
    }

    pub fn voice(&self) -> Voice {
        Voice(self.view.clone())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.end.take());
        self.thread.take().map(JoinHandle::join);
        lock(&self.view).hide();
    }
}

impl Voice {
    /// A line that stays.
    pub fn say(&self, text: &str) {
        let mut view = lock(&self.0);
        view.hide();
        tell!("{}", shown(text));
    }
}

impl View {
    fn show(&mut self) {
        let elapsed = self.started.elapsed().into();
        match &mut self.screen {
            Some(screen) => screen.draw(&self.dashboard.lines(elapsed, Screen::width())),
            None if self.quiet => {}
            None => tell!("{}", shown(&self.dashboard.one_line(elapsed))),
        }
    }

    fn hide(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.clear();
        }
    }
}

fn lock(view: &Mutex<View>) -> MutexGuard<'_, View> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}
