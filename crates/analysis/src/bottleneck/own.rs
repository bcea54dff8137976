//! Queues of the service's own making, which no name tells: threads wait in its own code for what other threads have,
//! or for time to pass, and each waits the longer the more of them there are.

use super::{
    activity::Activity,
    case::Case,
    doing::{Doing, count},
    frames::simple_class,
    known::Gives,
};

/// A request must wait this many times as long as one that is alone.
const LONGER: f64 = 3.0;
/// Least share of the requests that wait so.
const SHARE: f64 = 0.3;

impl Case<'_> {
    /// Turns the activity of threads in such queues into that of waiting for a resource.
    pub(super) fn name_own_queues(&mut self) {
        if self.has_others_at_work() {
            return;
        }
        if self.waits_longer(sleeps) {
            self.name(sleeps, Gives::Rate);
        }
        if self.waits_longer(waits)
            && let Some(gives) = self.handed_out()
        {
            self.name(waits, gives);
        }
    }

    fn name(&mut self, is_meant: fn(&Doing) -> bool, gives: Gives) {
        for doing in self.busy.iter_mut().filter(|doing| is_meant(doing)) {
            let class = simple_class(doing.site.as_deref().unwrap_or_default()).to_owned();
            doing.what = Activity::WantsOwn(gives, class);
        }
    }

    /// Whether requests may wait for another pool, all of whose threads have work.
    fn has_others_at_work(&self) -> bool {
        self.pools.values().any(|pool| !pool.is_loop && !self.is_front(pool) && pool.is_full())
    }

    /// Whether requests wait in the way that is meant, and one alone hardly does.
    fn waits_longer(&self, is_meant: fn(&Doing) -> bool) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        let waiting = count(self.served(), is_meant);
        let alone = count(self.serving_of(&self.view.busy(&light.threads)), is_meant);
        let each_s = |waiting: f64, per_s: f64| waiting / per_s.max(1e-9);
        waiting >= f64::max(1.0, SHARE * self.served_at_once())
            && each_s(waiting, full.throughput_per_s) >= LONGER * each_s(alone, light.throughput_per_s)
    }

    /// The limited resource: the same number of threads always have one, and what these do tells which it is.
    fn handed_out(&self) -> Option<Gives> {
        let has_one = |doing: &Doing| !waits(doing);
        let size = count(self.served(), has_one).round();
        let is_most = |is_meant: fn(&Doing) -> bool| {
            count(self.served(), |doing| has_one(doing) && is_meant(doing)) >= 0.5 * size
        };
        if size < 1.0 || !self.serves_always(size, has_one) {
            None
        } else if is_most(|doing| matches!(doing.what, Activity::Calls { is_database: true, .. })) {
            Some(Gives::DatabaseConnections)
        } else if is_most(|doing| doing.reads_itself) {
            Some(Gives::ClientConnections)
        } else {
            Some(Gives::Permits)
        }
    }
}

/// Whether the service's own code waits for time to pass.
fn sleeps(doing: &Doing) -> bool {
    doing.what == Activity::Sleeps && doing.waits_itself
}

/// Whether the service's own code waits for another thread.
fn waits(doing: &Doing) -> bool {
    matches!(doing.what, Activity::Waits(_)) && doing.waits_itself
}
