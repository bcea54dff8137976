//! Connections of a target, by their other end.

use plimsoll_record::{Census, Peer, Side};

/// Connections of one kind, on average over censuses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeerSeen {
    pub side: Side,
    pub port: u16,
    pub address: String,
    pub established: f64,
    pub established_most: u32,
    pub unread: f64,
    pub unacknowledged: f64,
    pub held_back: f64,
    pub open: f64,
    /// The most open questions that a look saw.
    pub open_most: u32,
    /// The most open questions that two looks saw, or more.
    pub open_most_twice: u32,
    pub connecting: f64,
    pub unaccepted: f64,
    pub unaccepted_max: Option<u32>,
    pub questions_per_s: f64,
    pub opened_per_s: f64,
}

impl PeerSeen {
    /// Whether `peer` is this one in a census.
    fn is(&self, peer: &Peer) -> bool {
        (self.side, self.port, &self.address) == (peer.side, peer.port, &peer.address)
    }

    /// How long an answer takes, by the questions that are open (Little's law).
    pub(crate) fn call_ms(&self) -> Option<f64> {
        (self.questions_per_s > 0.5).then(|| self.open / self.questions_per_s * 1e3)
    }

    /// `10.0.0.1:443`.
    pub(crate) fn name(&self) -> String {
        if self.address.contains(':') {
            return format!("[{}]:{}", self.address, self.port);
        }
        format!("{}:{}", self.address, self.port)
    }

    /// Adds one census, which counts as a `part` of all.
    fn add(&mut self, peer: &Peer, part: f64) {
        self.established += f64::from(peer.established) * part;
        self.established_most = self.established_most.max(peer.established);
        self.unread += f64::from(peer.unread) * part;
        self.unacknowledged += f64::from(peer.unacknowledged) * part;
        self.held_back += f64::from(peer.held_back) * part;
        self.open += f64::from(peer.open) * part;
        self.open_most_twice = self.open_most_twice.max(peer.open.min(self.open_most));
        self.open_most = self.open_most.max(peer.open);
        self.connecting += f64::from(peer.connecting) * part;
        self.unaccepted += f64::from(peer.unaccepted) * part;
        self.unaccepted_max = peer.unaccepted_max.or(self.unaccepted_max);
    }

    /// Growth of a counter per second, over the `seconds` between the first census and the last.
    fn growth(&self, censuses: &[&Census], seconds: f64, counter: fn(&Peer) -> u64) -> f64 {
        let at = |census: &Census| census.peers.iter().find(|it| self.is(it)).map(counter);
        // A peer that was not there at first begins with its first count: what it had counted before is not known.
        let begin = censuses.iter().find_map(|census| at(census)).unwrap_or(0);
        let end = censuses.iter().rev().find_map(|census| at(census)).unwrap_or(0);
        if seconds > 0.0 { end.saturating_sub(begin) as f64 / seconds } else { 0.0 }
    }

    /// Both as one, without an address.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.established += other.established;
        self.established_most += other.established_most;
        self.unread += other.unread;
        self.unacknowledged += other.unacknowledged;
        self.unaccepted += other.unaccepted;
        self.unaccepted_max = self.unaccepted_max.max(other.unaccepted_max);
        self.questions_per_s += other.questions_per_s;
        self.opened_per_s += other.opened_per_s;
        self
    }
}

/// Connections by kind; `seconds` lie between the first census and the last.
pub(super) fn peers(censuses: &[&Census], seconds: f64) -> Vec<PeerSeen> {
    let part = 1.0 / censuses.len() as f64;
    let mut peers: Vec<PeerSeen> = Vec::new();
    for peer in censuses.iter().flat_map(|census| &census.peers) {
        let index = peers.iter().position(|it| it.is(peer)).unwrap_or(peers.len());
        if index == peers.len() {
            let Peer { side, port, address, .. } = peer.clone();
            peers.push(PeerSeen { side, port, address, ..PeerSeen::default() });
        }
        peers[index].add(peer, part);
    }
    for peer in &mut peers {
        peer.questions_per_s = peer.growth(censuses, seconds, |it| it.questions);
        peer.opened_per_s = peer.growth(censuses, seconds, |it| it.opened);
    }
    peers
}
