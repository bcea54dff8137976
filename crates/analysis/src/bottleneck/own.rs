//! Queues that the service has made itself, and that no name tells: threads wait in its own code for what others of
//! them have, or for time to pass, and each waits the longer the more of them there are.

use super::{activity::Activity, case::Case, doing::Doing, known::Gives, pool::Pool};

/// By how much longer a request waits than one that is alone.
const LONGER: f64 = 3.0;
/// Least share of the requests that wait so.
const SHARE: f64 = 0.3;

impl Case<'_> {
    /// Calls such queues what they are, for all that is asked about queues.
    pub(super) fn name_own_queues(&mut self) {
        if self.has_others_at_work() {
            return;
        }
        for is_pace in [true, false] {
            if !self.waits_longer(is_pace) {
                continue;
            }
            let gives = if is_pace { Some(Gives::Rate) } else { self.handed_out() };
            let Some(gives) = gives else { continue };
            for doing in self.busy.iter_mut().filter(|doing| is_meant(doing, is_pace)) {
                doing.what = Activity::WantsOwn(gives, class(doing.site.as_deref().unwrap_or_default()).to_owned());
            }
        }
    }

    /// Whether requests may wait for what other threads do, who all have work.
    fn has_others_at_work(&self) -> bool {
        let front: Vec<&str> = self.front().iter().map(|pool| pool.name.as_str()).collect();
        let others = self.pools.values().filter(|pool| !front.contains(&pool.name.as_str()) && !pool.is_loop);
        others.into_iter().any(Pool::is_full)
    }

    /// Whether requests wait so, and one alone hardly does.
    fn waits_longer(&self, is_pace: bool) -> bool {
        let (light, full) = (&self.view.light, &self.view.full);
        let count = |doings: Vec<&Doing>| -> f64 {
            doings.into_iter().filter(|doing| is_meant(doing, is_pace)).map(|doing| doing.count).sum()
        };
        let waiting = count(self.served());
        let alone = count(self.serving_of(&self.view.busy(&light.threads)));
        let each_s = |waiting: f64, per_s: f64| waiting / per_s.max(1e-9);
        waiting >= f64::max(1.0, SHARE * self.served_at_once())
            && each_s(waiting, full.throughput_per_s) >= LONGER * each_s(alone, light.throughput_per_s)
    }

    /// A resource that there is only so much of: always as many threads have one, and their work tells which it is.
    fn handed_out(&self) -> Option<Gives> {
        let have = |busy: &[Doing]| -> Vec<Doing> {
            self.serving_of(busy).into_iter().filter(|doing| !is_meant(doing, false)).cloned().collect()
        };
        let having = have(&self.busy);
        let count = |having: &[Doing]| having.iter().map(|doing| doing.count).sum::<f64>();
        let size = count(&having).round();
        let is_always = self.is_nearly_always(|threads| (count(&have(&self.view.busy(threads))) - size).abs() < 0.5);
        let share = |is_meant: &dyn Fn(&Doing) -> bool| {
            let meant = having.iter().filter(|doing| is_meant(doing)).map(|doing| doing.count);
            meant.sum::<f64>() / size
        };
        if size < 1.0 || !is_always {
            None
        } else if share(&|doing| matches!(doing.what, Activity::Calls { is_database: true, .. })) >= 0.5 {
            Some(Gives::DatabaseConnections)
        } else if share(&|doing| doing.reads_itself) >= 0.5 {
            Some(Gives::ClientConnections)
        } else {
            Some(Gives::Permits)
        }
    }
}

fn is_meant(doing: &Doing, is_pace: bool) -> bool {
    let waits = if is_pace { doing.what == Activity::Sleeps } else { matches!(doing.what, Activity::Waits(_)) };
    waits && doing.waits_itself
}

/// `Shelves` of `app.Shelves.take`.
fn class(site: &str) -> &str {
    let class = site.rsplit_once('.').map_or(site, |it| it.0);
    class.rsplit('.').next().unwrap_or(class)
}
