//! Observations of a target under the loads of one run.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_record::{ProcessFacts, RunData, Window};

use super::{
    activity::Activity,
    carried, disk,
    doing::Doing,
    peers::{instances, join},
    readers::RequestsAt,
    scope::Scope,
    seen::Seen,
};

/// One run, under all its loads.
#[derive(Debug)]
pub(crate) struct View {
    pub rest: Seen,
    pub light: Seen,
    pub full: Seen,
    pub process: ProcessFacts,
    /// Places of the service at which it reads requests from sockets.
    requests_at: RequestsAt,
    /// Whether threads at files wait for the disk.
    awaits_disk: bool,
}

impl View {
    /// The view of a run; none unless the target was seen under full load.
    pub(crate) fn of(run: &RunData, scope: &Scope) -> Option<Self> {
        let full = Seen::of(run, scope, Window::Full)?;
        let mut process = run.censuses.last().map(|census| census.process.clone()).unwrap_or_default();
        let dumps = scope.censuses(run, Window::Full).into_iter().filter(|census| !census.stacks.is_empty());
        if dumps.clone().any(|census| census.process.blind.is_none()) {
            process.blind = None;
        }
        let rest = Seen::of(run, scope, Window::Rest).unwrap_or_default();
        let light = Seen::of(run, scope, Window::Light).unwrap_or_default();
        let requests_at = RequestsAt::of([&light, &full]);
        let awaits_disk = disk::is_awaited(&full);
        let mut view = Self { rest, light, full, process, requests_at, awaits_disk };
        for group in instances(&view.full.peers) {
            let all = [&mut view.rest, &mut view.light, &mut view.full];
            all.into_iter().for_each(|seen| join(&mut seen.peers, &group));
        }
        if !awaits_disk {
            let Self { rest, light, full, .. } = &mut view;
            disk::run([rest, light, full].into_iter().flat_map(|seen| &mut seen.threads));
            disk::run(view.full.each.iter_mut().flatten());
        }
        carried::mark(&mut view);
        view.mark_loops();
        view.requests_at.mark(&mut view.full.threads);
        Some(view)
    }

    /// Marks event loops that no name tells, of the service or of a library: at rest all their threads wait for events,
    /// and under load they run the service's code, maybe without ever waiting for events again.
    fn mark_loops(&mut self) {
        let groups = |is_meant: fn(&Doing) -> bool, threads: &[Doing]| -> BTreeSet<String> {
            threads.iter().filter(|doing| is_meant(doing)).map(|doing| doing.group.clone()).collect()
        };
        let selects = groups(|doing| doing.is_selecting, &self.rest.threads);
        let others = groups(|doing| !doing.is_selecting, &self.rest.threads);
        let works = groups(|doing| doing.site.is_some(), &self.full.threads);
        let serves = groups(|doing| doing.server.is_some(), &self.full.threads);
        let is_loop = |group: &String| works.contains(group) && !others.contains(group) && !serves.contains(group);
        let loops: BTreeSet<String> = selects.into_iter().filter(is_loop).collect();
        let of_full = self.full.threads.iter_mut().chain(self.full.each.iter_mut().flatten());
        of_full.filter(|doing| loops.contains(&doing.group)).for_each(|doing| doing.is_loop = true);
    }

    /// Whether it carries nothing, not even one request at a time: what it does at rest is what it is stuck in.
    pub(crate) fn is_stuck(&self) -> bool {
        self.full.is_stuck() && self.light.is_stuck()
    }

    /// Whether the service reads requests from sockets itself.
    pub(crate) fn reads_requests(&self) -> bool {
        !self.requests_at.is_empty()
    }

    /// Threads with work out of `threads`, less those that do the same at rest.
    pub(crate) fn busy(&self, threads: &[Doing]) -> Vec<Doing> {
        let at_rest = |doing: &Doing| {
            // A thread that serves a request has work, whatever was left over when it was looked at without load.
            if doing.server.is_some() || self.is_stuck() {
                return 0.0;
            }
            let same = self.rest.threads.iter().filter(|it| it.is_like(doing));
            same.map(|it| it.count).sum::<f64>()
        };
        let mut left: BTreeMap<String, f64> = BTreeMap::new();
        // A thread that accepts connections has no request.
        let has_work = |it: &&Doing| it.what != Activity::Idle && !it.is_acceptor && !self.requests_at.has(it);
        let mut busy: Vec<Doing> = threads.iter().filter(has_work).cloned().collect();
        if !self.awaits_disk {
            disk::run(&mut busy);
        }
        for doing in &mut busy {
            let key = format!("{} {:?}", doing.group, doing.what);
            let left = left.entry(key).or_insert_with(|| at_rest(doing));
            let taken = left.min(doing.count);
            *left -= taken;
            doing.count -= taken;
        }
        busy.retain(|doing| doing.count > 0.005);
        busy
    }
}
