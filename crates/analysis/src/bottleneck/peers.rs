//! Connections of a target, by their other end.

use plimsoll_record::{Census, Peer, Side};

/// How much more often one of several instances is asked than another, and how much longer it may take.
const ALIKE: f64 = 2.0;

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
    /// Other addresses whose connections are counted here, too.
    pub more: usize,
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

    /// `10.0.0.1:443`, or `10.0.0.1:443 and 2 like it`.
    pub(crate) fn name(&self) -> String {
        let more = if self.more > 0 { format!(" and {} like it", self.more) } else { String::new() };
        if self.address.contains(':') {
            return format!("[{}]:{}{more}", self.address, self.port);
        }
        format!("{}:{}{more}", self.address, self.port)
    }

    /// Whether both are instances of one service, whose callers share their calls out: they listen at one port, are
    /// asked about as often, and take about as long to answer.
    fn is_like(&self, other: &Self) -> bool {
        let is_about = |a: f64, b: f64| a.max(b) <= ALIKE * a.min(b);
        let times = self.call_ms().zip(other.call_ms());
        self.port == other.port
            && is_about(self.questions_per_s, other.questions_per_s)
            && times.is_some_and(|(a, b)| is_about(a, b))
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

    /// Both as one, with the address of the first.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.established += other.established;
        self.established_most += other.established_most;
        self.unread += other.unread;
        self.unacknowledged += other.unacknowledged;
        self.held_back += other.held_back;
        self.open += other.open;
        self.open_most += other.open_most;
        self.open_most_twice += other.open_most_twice;
        self.connecting += other.connecting;
        self.unaccepted += other.unaccepted;
        self.unaccepted_max = self.unaccepted_max.max(other.unaccepted_max);
        self.questions_per_s += other.questions_per_s;
        self.opened_per_s += other.opened_per_s;
        self
    }
}

/// Groups of addresses of full load that are instances of one service each, the one with most questions first.
pub(super) fn instances(peers: &[PeerSeen]) -> Vec<Vec<PeerSeen>> {
    let mut outbound: Vec<&PeerSeen> = peers.iter().filter(|it| it.side == Side::Outbound).collect();
    outbound.sort_by(|a, b| b.questions_per_s.total_cmp(&a.questions_per_s));
    let mut groups: Vec<Vec<PeerSeen>> = Vec::new();
    for peer in outbound {
        match groups.iter_mut().find(|group| group[0].is_like(peer)) {
            Some(group) => group.push(peer.clone()),
            None => groups.push(vec![peer.clone()]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Counts the connections to each of a group as those to its first one.
pub(super) fn join(peers: &mut Vec<PeerSeen>, group: &[PeerSeen]) {
    let is_of_group =
        |it: &PeerSeen| group.iter().any(|one| (one.side, one.port, &one.address) == (it.side, it.port, &it.address));
    let members: Vec<PeerSeen> = peers.extract_if(.., |it| is_of_group(it)).collect();
    let Some(joined) = members.into_iter().reduce(|all, it| all.and(&it)) else { return };
    peers.push(PeerSeen { address: group[0].address.clone(), more: group.len() - 1, ..joined });
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

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str, port: u16, questions_per_s: f64, open: f64) -> PeerSeen {
        PeerSeen {
            side: Side::Outbound,
            address: address.to_owned(),
            port,
            questions_per_s,
            open,
            ..PeerSeen::default()
        }
    }

    #[test]
    fn instances_of_a_service_are_one_and_other_services_at_its_port_are_not() {
        let mut peers = vec![
            peer("10.0.0.1", 443, 100.0, 10.0),
            peer("10.0.0.2", 443, 90.0, 11.0),
            peer("10.0.0.3", 443, 95.0, 8.0),
            peer("10.0.9.9", 443, 98.0, 0.5),
            peer("10.0.0.4", 8443, 100.0, 10.0),
        ];
        let groups = instances(&peers);
        groups.iter().for_each(|group| join(&mut peers, group));
        let mut told: Vec<String> = peers.iter().map(|it| format!("{}: {}", it.name(), it.open)).collect();
        told.sort_unstable();
        assert_eq!(told, ["10.0.0.1:443 and 2 like it: 29", "10.0.0.4:8443: 10", "10.0.9.9:443: 0.5"]);
    }
}
