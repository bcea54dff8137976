//! Calls to other services: how long one takes, and whether the client has connections for them.

use super::{activity::Activity, case::Case, doing::count, kinds::full_executor, peers::PeerSeen};

/// The share by which the number of connections' holders may differ from that of connections.
const ALIKE: f64 = 0.1;
/// The most time that calls may take, as a part of that of a request alone, unless they have become slower.
const ROUGHLY: f64 = 1.2;
/// Calls per connection from which on it has several at once.
pub(super) const SHARED: f64 = 1.5;

impl Case<'_> {
    /// The peer on which most answers are waited for, and how long one takes fully and lightly loaded.
    pub(crate) fn upstream(&self) -> Option<Upstream<'_>> {
        // Background work of the service may call a peer without a request, and keep a question open for ever.
        let rest = Some(&self.view.rest).filter(|_| !self.view.is_stuck());
        let at_rest =
            |peer: &PeerSeen, of: fn(&PeerSeen) -> f64| rest.and_then(|rest| rest.outbound_to(peer)).map_or(0.0, of);
        let open = |peer: &PeerSeen| (peer.open - at_rest(peer, |it| it.open)).max(0.0);
        let asked = |peer: &PeerSeen| (peer.questions_per_s - at_rest(peer, |it| it.questions_per_s)).max(0.0);
        let outbound = self.view.full.outbound();
        let called = outbound.iter().copied().filter(|peer| asked(peer) > 0.5 || open(peer) >= 0.5);
        let peer = called.min_by(|a, b| open(b).total_cmp(&open(a)).then(asked(b).total_cmp(&asked(a))))?;
        let light = self.view.light.outbound_to(peer);
        let own = at_rest(peer, |it| it.questions_per_s);
        let throughput = self.view.light.throughput_per_s;
        let calls = light.filter(|_| throughput > 0.0).map(|it| (it.questions_per_s - own).max(0.0) / throughput);
        // Threads are all seen, unlike connections that are made for each call and gone before the next look. Threads
        // that wait for a client's own threads may wait for one of its connections, if calls do not share these.
        let by_themselves = self.serving(Activity::calls_itself);
        // Threads that share a connection call somebody else where others have the open questions.
        let in_threads =
            by_themselves + if by_themselves < 0.5 * peer.open.max(1.0) { self.sharing(peer) } else { 0.0 };
        // Threads that call several services one after the other are shared out by the open questions to each.
        let all_open: f64 = outbound.iter().map(|peer| open(peer)).sum();
        let in_threads = if open(peer) >= 0.5 { in_threads * open(peer) / all_open } else { in_threads };
        // A listen queue that is too short makes requests come in waves: maybe more while threads are looked at.
        let carried = self.view.full.throughput_per_s.max(self.view.full.dumped_per_s);
        let by_threads = || {
            let rate = carried * calls.filter(|&calls| calls > 0.1)?;
            (in_threads >= 0.5 && rate > 0.0).then(|| in_threads / rate * 1e3)
        };
        let of_full = || {
            let throughput = self.view.full.throughput_per_s;
            // Without a request that ends, none tells how often it calls.
            if throughput > 0.0 { peer.questions_per_s / throughput } else { 1.0 }
        };
        let calls = calls.unwrap_or_else(of_full);
        let upstream = Upstream {
            peer,
            full_ms: by_threads(),
            light_ms: light.and_then(PeerSeen::call_ms),
            light_ms_most: self.view.light.response_ms / calls.max(1.0),
            calls,
        };
        // Open questions are counted per connection: they are too few where calls share one.
        let by_connections = || peer.call_ms().filter(|_| !self.shares_connections(&upstream));
        Some(Upstream { full_ms: upstream.full_ms.or_else(by_connections), ..upstream })
    }

    /// Connections to the peer, if they are about as many as the threads `holding` one.
    pub(crate) fn connections(&self, holding: f64) -> Option<f64> {
        let established = self.upstream()?.peer.established;
        ((holding - established).abs() <= f64::max(1.0, ALIKE * established)).then_some(established)
    }

    /// Whether all connections to one peer are in use, and are far fewer than the requests, most of which are in no
    /// thread, or in one that waits for a client's own threads: then the client has no more connections.
    pub(crate) fn is_full_of_calls(&self) -> bool {
        let Some(upstream) = self.upstream() else { return false };
        let peer = upstream.peer;
        // Between the queries of a request its connection has no open question, yet is not free for others.
        let full = &self.view.full;
        let is_held = full.open.is_none() && (self.at_once() - peer.established).abs() <= ALIKE * peer.established;
        let is_full = peer.established >= 0.8 && (peer.open >= 0.8 * peer.established || is_held && peer.open >= 0.5);
        let accepted = self.accepted();
        let is_few = peer.established <= 0.6 * accepted && accepted - peer.established >= 2.0;
        let is_steady = f64::from(peer.established_most) <= 1.2 * peer.established + 0.5;
        let is_read = self.view.full.inbound().unread < 0.3 * self.in_flight();
        let in_no_thread = self.in_threads() - self.serving(Activity::is_for_others) < 0.4 * self.in_flight();
        // A client that blocks has a thread for each of its calls.
        let calling = |others: bool| {
            self.working(|what| matches!(what, Activity::Calls { by_others, .. } if *by_others == others))
        };
        let in_no_thread = in_no_thread && calling(false) < 0.5 * peer.open;
        // No thread lacks a connection if each has one: as many wait for answers as there are connections, as tasks may
        // run, or as threads serve requests.
        let each_has_one = |threads: f64| (0.8 * peer.open..=peer.established + 0.5).contains(&threads);
        let has_each_one = each_has_one(calling(true))
            || each_has_one(self.working(Activity::is_for_others))
            || full_executor(self).is_some_and(|pool| each_has_one(pool.busy))
            || self.front().iter().any(|pool| pool.is_full() && each_has_one(pool.busy));
        in_no_thread
            && !has_each_one
            && is_read
            && is_full
            && is_few
            && is_steady
            && self.answers_as_quickly(&upstream)
            && !self.shares_connections(&upstream)
            && self.queued_in_objects().is_none()
            && self.few_at_calls().is_none()
    }

    /// Whether a call takes hardly longer than with one request at a time; true if that is not known.
    pub(crate) fn answers_as_quickly(&self, upstream: &Upstream) -> bool {
        upstream.grows().is_none_or(|grows| {
            // A few looks at one request at a time tell the time of its call only roughly; the whole request bounds it.
            let alone = upstream
                .full_ms
                .is_some_and(|ms| ms * upstream.calls.max(1.0) <= ROUGHLY * self.view.light.response_ms);
            grows < if alone { 3.0 } else { 1.6 }
        })
    }

    /// Questions that are open: as many connections have one, or as many requests wait on connections that they share.
    pub(crate) fn open_questions(&self, upstream: &Upstream) -> f64 {
        upstream.peer.open.max(self.on_shared_connections(upstream))
    }

    /// Requests that wait for answers on connections which have several calls at once. Where objects do not tell how
    /// many these are, requests that take no longer than one alone spend their time as that one does.
    pub(crate) fn on_shared_connections(&self, upstream: &Upstream) -> f64 {
        if let Some(calls) = self.calls_in_objects(upstream.peer.established) {
            return calls;
        }
        let alone = upstream.light_ms.map_or(0.0, |ms| upstream.calls * ms / self.view.light.response_ms.max(1e-9));
        let is_told = self.takes_no_longer() && self.shares_connections(upstream);
        if is_told { alone.min(1.0) * self.in_flight() } else { 0.0 }
    }

    /// Requests that wait for answers on a connection to the peer which their client shares among all of them.
    fn sharing(&self, peer: &PeerSeen) -> f64 {
        let in_threads = count(self.served(), |doing| doing.shares_its_connection);
        self.calls_in_objects(peer.established).map_or(in_threads, |calls| calls.max(in_threads))
    }

    /// Requests in flight on connections that the server has accepted: others want no connection to anybody yet.
    fn accepted(&self) -> f64 {
        let unaccepted = self.view.full.inbound().unaccepted;
        self.in_flight().min((self.connections_wanted() - unaccepted).max(0.0))
    }

    /// Whether a connection has several calls at once, as with HTTP/2: because its client is known to do so, or because
    /// there are more calls than it had time for one by one.
    pub(crate) fn shares_connections(&self, upstream: &Upstream) -> bool {
        if self.sharing(upstream.peer) >= 0.5 * self.in_threads().max(1.0) {
            return true;
        }
        let calls_per_s = self.view.full.throughput_per_s * upstream.calls;
        upstream.light_ms.is_some_and(|ms| calls_per_s * ms / 1e3 >= SHARED * upstream.peer.established)
    }
}

/// Calls to the peer that is asked the most.
pub(crate) struct Upstream<'a> {
    pub peer: &'a PeerSeen,
    pub full_ms: Option<f64>,
    pub light_ms: Option<f64>,
    /// The most that one can take, lightly loaded: a request is not answered before its calls.
    light_ms_most: f64,
    /// Calls per request, lightly loaded.
    pub calls: f64,
}

impl Upstream<'_> {
    /// How much longer a call takes under full load.
    pub(crate) fn grows(&self) -> Option<f64> {
        Some(self.full_ms? / self.light_ms.filter(|&ms| ms > 0.0)?)
    }

    /// The same at least, also if no look has seen a call lightly loaded.
    pub(crate) fn grows_at_least(&self) -> Option<f64> {
        let least = || Some(self.full_ms? / Some(self.light_ms_most).filter(|&ms| ms > 0.0)?);
        self.grows().or_else(least)
    }
}
