//! TCP state of a target: connections by state, accept queue, and the kernel's counters.

mod accepting;
mod count;
mod namespaces;
mod outbound;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
    time::{Duration, Instant},
};

use plimsoll_record::metric::tcp;

use crate::{
    parse::{
        net,
        socket::{Listener, Ports, Socket, State},
    },
    read::{self, sock_diag::SockDiag},
};
use accepting::Accepting;
use count::Count;

/// The pause after a count, as a multiple of its CPU time: tens of thousands of sockets are counted less often.
const COUNT_PAUSE: u32 = 20;
/// The same after a look whom the target connects to.
const LOOK_PAUSE: u32 = 50;
/// Shortest time between two such looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// The interval of samples, which is kept as long as counting does not take more than its share of it.
const INTERVAL: Duration = Duration::from_millis(100);

/// Names of metrics with their values.
pub(crate) type Values = Vec<(&'static str, f64)>;

/// Samples the sockets of one target.
#[derive(Debug)]
pub(crate) struct SocketSampler {
    /// The ports that were given, and remote ones that were found.
    ports: Ports,
    /// Where the sockets are read, once it is known.
    source: Option<Source>,
    /// The namespace in which the target was seen to listen.
    listens_in: Option<PathBuf>,
    accepting: Accepting,
    next_count: Instant,
    next_look: Instant,
    /// Counters at the first sample of the namespace that is read.
    at_start: BTreeMap<&'static str, u64>,
    counted_in: Option<PathBuf>,
}

/// Where the sockets of one network namespace are read.
#[derive(Debug)]
struct Source {
    namespace: Option<PathBuf>,
    /// None where netlink is refused: then it is the text of procfs.
    diag: Option<SockDiag>,
}

impl SocketSampler {
    pub fn new(ports: Ports) -> Self {
        let now = Instant::now();
        Self {
            ports,
            source: None,
            listens_in: None,
            accepting: Accepting::default(),
            next_count: now,
            next_look: now,
            at_start: BTreeMap::new(),
            counted_in: None,
        }
    }

    /// The values of this instant for a target of these processes, parents before their children.
    pub fn sample(&mut self, pids: &[i32]) -> Values {
        self.look_if_due(pids);
        // The listening process is rather the last than a shell in front of it, which may be in another namespace.
        let Some(&pid) = self.namespaces(pids).first() else { return Vec::new() };
        self.enter(pid);
        let mut values = self.accepting(pids);
        values.extend(self.count_if_due(pids, pid));
        values.extend(self.counters(pid));
        values
    }

    /// A process of each namespace that the sockets may be in.
    fn namespaces(&self, pids: &[i32]) -> Vec<i32> {
        namespaces::one_of_each(pids, self.listens_in.as_ref(), read::network_namespace)
    }

    /// Makes sure that what is read is the namespace of `pid`.
    fn enter(&mut self, pid: i32) {
        let namespace = read::network_namespace(pid);
        if self.source.as_ref().is_some_and(|source| namespace.is_none() || source.namespace == namespace) {
            return;
        }
        let is_ours = namespace.is_none() || namespace == read::own_network_namespace();
        let diag = if is_ours { SockDiag::open() } else { SockDiag::open_in_namespace_of(pid) };
        self.source = Some(Source { namespace, diag: diag.ok() });
    }

    /// Looks whom the target connects to and, until that is known, in which namespace it listens.
    fn look_if_due(&mut self, pids: &[i32]) {
        let (begun, cpu) = (Instant::now(), read::thread_cpu_time());
        if begun < self.next_look {
            return;
        }
        for (index, pid) in self.namespaces(pids).into_iter().enumerate() {
            self.enter(pid);
            let mut all = Vec::new();
            let is_whole = self.each_socket(pid, None, |socket| all.push(socket));
            let listens = self.listens(&all, pids);
            if listens {
                self.listens_in = self.source.as_ref().and_then(|source| source.namespace.clone());
            }
            // Peers of a helper in a namespace of its own are not the target's.
            if is_whole && (listens || index == 0) {
                self.ports.remote.extend(outbound::new_ports(&all, &self.ports, pids));
            }
            if listens {
                break;
            }
        }
        self.next_look = begun + (read::thread_cpu_time().saturating_sub(cpu) * LOOK_PAUSE).max(LOOK_INTERVAL);
    }

    /// Whether a process of `pids` holds one of these sockets that listens on the target's ports: another program may
    /// have the same port in another namespace.
    fn listens(&self, all: &[Socket], pids: &[i32]) -> bool {
        let is_meant = |it: &&Socket| it.state == State::Listen && self.ports.listening.contains(&it.local_port);
        let inodes: BTreeSet<u32> = all.iter().filter(is_meant).map(|it| it.inode).collect();
        // It stays where it was found, and a process may have many thousands of descriptors.
        self.is_kept()
            || (!inodes.is_empty()
                && pids.iter().flat_map(|&pid| read::socket_inodes(pid)).any(|inode| inodes.contains(&inode)))
    }

    /// Whether the namespace that is read is the one in which the target was seen to listen.
    fn is_kept(&self) -> bool {
        self.listens_in.is_some() && self.source.as_ref().is_some_and(|source| source.namespace == self.listens_in)
    }

    /// The sockets that listen, at each sample, for they are few; none where netlink does not tell.
    fn accepting(&mut self, pids: &[i32]) -> Values {
        let diag = self.source.as_mut().and_then(|source| source.diag.as_mut());
        let Some(diag) = diag.filter(|_| !self.ports.listening.is_empty()) else { return Vec::new() };
        let mut listeners = Vec::new();
        match diag.each_listening(&self.ports.listening, |listener| listeners.push(listener)) {
            Ok(()) => self.accepting.values(&listeners, pids),
            Err(_) => Vec::new(),
        }
    }

    fn count_if_due(&mut self, pids: &[i32], pid: i32) -> Values {
        let begun = Instant::now();
        if begun < self.next_count {
            return Vec::new();
        }
        let cpu = read::thread_cpu_time();
        let (ports, mut count, mut listeners) = (self.ports.clone(), Count::default(), Vec::new());
        let is_whole = self.each_socket(pid, Some(&ports), |socket| {
            count.add(&socket, &ports);
            if socket.state == State::Listen && ports.side_of(&socket).is_some() {
                listeners.push(Listener { socket, drops: None });
            }
        });
        // CPU time, since on a busy machine the elapsed time is mostly others'.
        let took = read::thread_cpu_time().saturating_sub(cpu);
        self.next_count = begun + took * COUNT_PAUSE;
        let mut values = if is_whole { count.values() } else { Vec::new() };
        if is_whole && self.source.as_ref().is_none_or(|source| source.diag.is_none()) {
            values.extend(self.accepting.values(&listeners, pids));
        }
        if took * COUNT_PAUSE > INTERVAL {
            values.push((tcp::SOCKET_COUNT_MS.name, took.as_secs_f64() * 1e3));
        }
        values
    }

    /// Hands every socket of the namespace, or at least those of `ports`, to `each`. Returns whether it was all.
    fn each_socket(&mut self, pid: i32, ports: Option<&Ports>, mut each: impl FnMut(Socket)) -> bool {
        let Some(source) = &mut self.source else { return false };
        if let Some(diag) = &mut source.diag {
            let result = diag.each(ports, &mut each);
            // A refusal will be repeated; lateness need not be.
            if result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock) {
                source.diag = None;
            }
            return result.is_ok();
        }
        for file in ["tcp", "tcp6"] {
            let text = read::text(format!("/proc/{pid}/net/{file}")).unwrap_or_default();
            net::sockets(&text).for_each(&mut each);
        }
        true
    }

    /// How much each counter of the namespace has grown since the first sample.
    fn counters(&mut self, pid: i32) -> Values {
        let text = |file: &str| read::text(format!("/proc/{pid}/net/{file}")).unwrap_or_default();
        let (snmp, netstat) = (text("snmp"), text("netstat"));
        let namespace = self.source.as_ref().and_then(|source| source.namespace.clone());
        if self.counted_in != namespace {
            self.counted_in = namespace;
            self.at_start.clear();
        }
        let (tcp, extended) = (net::counters(&snmp, "Tcp"), net::counters(&netstat, "TcpExt"));
        let counters = count::COUNTERS.iter().filter_map(|(metric, name)| {
            let now = *tcp.get(name).or_else(|| extended.get(name))?;
            let start = *self.at_start.entry(metric.name).or_insert(now);
            Some((metric.name, now.saturating_sub(start) as f64))
        });
        counters.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        net::{SocketAddr, TcpListener, TcpStream},
        process,
    };

    use super::*;

    fn value(values: &Values, name: &str) -> Option<f64> {
        values.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// A sample, as if the last count had cost nothing.
    fn sample_now(sampler: &mut SocketSampler) -> Values {
        sampler.next_count = Instant::now();
        sampler.sample(&[own_pid()])
    }

    fn own_pid() -> i32 {
        i32::try_from(process::id()).expect("a pid fits")
    }

    #[test]
    fn a_listener_and_its_clients_are_seen_from_both_sources() {
        // Somebody may use the port that the kernel gives at another address, such as ::1.
        let (port, _listener, mut sampler, before) = (0..100)
            .find_map(|_| {
                let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
                let port = listener.local_addr().expect("bound").port();
                let mut sampler = SocketSampler::new(Ports { listening: vec![port], remote: Vec::new() });
                let before = sampler.sample(&[own_pid()]);
                (value(&before, "inbound_established") == Some(0.0)).then_some((port, listener, sampler, before))
            })
            .expect("a port without connections");
        assert_eq!(value(&before, "connections_opened"), Some(0.0), "counters begin with the run");

        let clients: Vec<TcpStream> =
            (0..5).map(|_| TcpStream::connect(("127.0.0.1", port)).expect("it listens")).collect();
        // A test beside this one may connect to a port that it takes for closed.
        let five = |values: &Values, name| (5.0..10.0).contains(&value(values, name).unwrap_or_default());
        let after = sample_now(&mut sampler);
        assert!(five(&after, "inbound_established"), "{after:?}");
        assert!(five(&after, "accept_queue"), "{after:?}");
        assert!(value(&after, "accept_queue_max") > Some(5.0));
        assert!(value(&after, "connections_opened") >= Some(5.0));
        assert!(value(&after, "connections_accepted") >= Some(5.0));

        sampler.source.as_mut().expect("it was used").diag = None;
        let from_text = sample_now(&mut sampler);
        assert!(five(&from_text, "inbound_established"), "{from_text:?}");
        assert!(five(&from_text, "accept_queue"), "{from_text:?}");
        assert_eq!(value(&from_text, "accept_queue_max"), None, "procfs does not tell");
        drop(clients);
    }

    /// A socket that has refused six connections, since its queue of one place is full, where one more may wait.
    fn overflowed() -> (TcpListener, Vec<TcpStream>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        rustix::net::listen(&listener, 1).expect("it listens already");
        let to = listener.local_addr().expect("bound");
        let clients = (0..2).map(|_| TcpStream::connect(to).expect("there is room")).collect();
        (0..6).for_each(|_| refused(to));
        (listener, clients)
    }

    /// A client that is refused hears nothing.
    fn refused(to: SocketAddr) {
        assert!(TcpStream::connect_timeout(&to, Duration::from_millis(5)).is_err(), "its queue is full");
    }

    /// Values as soon as the one of this name is `least` at least: on a busy machine the kernel may take a moment.
    fn once(sampler: &mut SocketSampler, name: &str, least: f64) -> Values {
        let begun = Instant::now();
        loop {
            let values = sample_now(sampler);
            if value(&values, name) >= Some(least) || begun.elapsed() > Duration::from_secs(60) {
                return values;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn of_two_sockets_of_a_namespace_the_one_that_overflowed_is_told() {
        let ours = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = |listener: &TcpListener| listener.local_addr().expect("bound").port();
        let mut sampler = SocketSampler::new(Ports { listening: vec![port(&ours)], remote: Vec::new() });
        sampler.sample(&[own_pid()]);
        let (other, _clients) = overflowed();
        let after = once(&mut sampler, "listen_overflows", 6.0);
        assert!(value(&after, "listen_overflows") >= Some(6.0), "the kernel's count is of both: {after:?}");
        assert_eq!(value(&after, "accept_queue_drops"), Some(0.0), "{after:?}");

        // Connections that it refused before it was watched are not of the run.
        let mut sampler = SocketSampler::new(Ports { listening: vec![port(&other)], remote: Vec::new() });
        assert_eq!(value(&sampler.sample(&[own_pid()]), "accept_queue_drops"), Some(0.0));
        let to = other.local_addr().expect("bound");
        refused(to);
        let after = once(&mut sampler, "accept_queue_drops", 1.0);
        assert!(value(&after, "accept_queue_drops") >= Some(1.0), "{after:?}");
        assert!(value(&after, "accept_queue") > value(&after, "accept_queue_max"), "it is full: {after:?}");
    }

    #[test]
    fn whom_the_target_connects_to_is_found() {
        let upstream = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = upstream.local_addr().expect("bound").port();
        let mut sampler = SocketSampler::new(Ports::default());
        let connections: Vec<TcpStream> =
            (0..3).map(|_| TcpStream::connect(("127.0.0.1", port)).expect("it listens")).collect();
        let values = sampler.sample(&[own_pid()]);
        drop(connections);
        assert!(sampler.ports.remote.contains(&port));
        // Tests beside this one connect, too.
        assert!(value(&values, "outbound_established") >= Some(3.0), "{values:?}");
    }

    #[test]
    fn the_namespace_is_known_once_the_target_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        let found = |pid: i32| {
            let mut sampler = SocketSampler::new(Ports { listening: vec![port], remote: Vec::new() });
            sampler.sample(&[pid]);
            sampler.listens_in
        };
        assert_eq!(found(own_pid()), read::own_network_namespace());
        let mut other = process::Command::new("sleep").arg("60").spawn().expect("sleep");
        let of_other = found(i32::try_from(other.id()).expect("a pid fits"));
        other.kill().expect("ended");
        other.wait().expect("waited for");
        assert_eq!(of_other, None, "it is another's socket");
    }

    #[test]
    fn a_target_without_processes_has_no_values() {
        assert_eq!(SocketSampler::new(Ports::default()).sample(&[]), []);
    }
}
