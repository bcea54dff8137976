//! From the wish for a connection to one that carries requests: address, socket, tunnel, TLS handshake.

use std::net::SocketAddr;

use plimsoll_engine::{Established, SlotId};
use plimsoll_record::{ErrorKind, Nanos};
use rustix::{
    event::epoll::{self, EventFlags},
    fd::OwnedFd,
    io::Errno,
    net::sockopt,
};

use super::{
    AGAIN_PAUSE, EventLoop,
    failing::failure,
    link::{OPENS, Opening, Step, join},
};
use crate::{
    connection::Proxy,
    socket::{begin_connect, begin_connect_unix, kind_of},
    target::End,
    tls::{Session, explain},
};

/// Source addresses to be tried for one connection while their ports are all taken.
const SOURCES_TRIED_MAX: usize = 8;

impl EventLoop {
    /// The first step of a connection.
    pub(super) fn connect(&mut self, id: SlotId) {
        if self.links.len() <= id as usize {
            self.links.resize_with(id as usize + 1, Default::default);
        }
        let link = &mut self.links[id as usize];
        link.generation = link.generation.wrapping_add(1);
        link.is_ended = false;
        let mut opening = Opening::new(self.clock.now());
        match (&self.route.end, &self.resolver) {
            (&End::Address(address), _) => {
                opening.address = Some(address);
                link.opening = Some(Box::new(opening));
                self.open(id);
            }
            (End::Name(..), Some(resolver)) => {
                link.opening = Some(Box::new(opening));
                resolver.ask((id, link.generation));
            }
            _ => {
                link.opening = Some(Box::new(opening));
                self.open(id);
            }
        }
    }

    /// Goes on with connections that waited for their names to be resolved.
    pub(super) fn take_addresses(&mut self) {
        let resolver = self.resolver.as_ref().expect("only a resolver has addresses to tell");
        resolver.clear_wake();
        let answers: Vec<_> = std::iter::from_fn(|| resolver.answer()).collect();
        for ((id, generation), resolved) in answers {
            let now = self.clock.now();
            let link = &mut self.links[id as usize];
            let Some(opening) = link.opening.as_mut().filter(|_| link.generation == generation) else { continue };
            match resolved {
                Ok(addresses) => {
                    self.addresses_taken = self.addresses_taken.wrapping_add(1);
                    opening.address = Some(addresses[self.addresses_taken % addresses.len()]);
                    opening.resolved = Some(now);
                    self.open(id);
                }
                Err(problem) => {
                    self.worker.failed(id, ErrorKind::Dns, &problem, now);
                    self.act();
                }
            }
        }
    }

    /// Begins to connect the socket.
    fn open(&mut self, id: SlotId) {
        let generation = self.links[id as usize].generation;
        let opening = self.links[id as usize].opening();
        opening.step = Step::Socket;
        let address = opening.address;
        let begun = match address {
            Some(address) => self.begin_tcp(address),
            None => self.begin_unix(),
        };
        let registered = begun.and_then(|socket| {
            let interest = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
            epoll::add(&self.epoll, &socket, join(id, generation), interest)?;
            Ok(socket)
        });
        match registered {
            Ok(socket) => self.links[id as usize].socket = Some(socket),
            // The backlog of a Unix socket's listener is full: TCP would wait, too.
            Err(Errno::AGAIN) if address.is_none() => self.again.push((id, generation)),
            Err(error) => self.fail_later(id, "connect", error),
        }
    }

    fn begin_tcp(&mut self, address: SocketAddr) -> Result<OwnedFd, Errno> {
        for _ in 0..SOURCES_TRIED_MAX {
            match begin_connect(address, self.sources.next(address)) {
                Err(Errno::ADDRNOTAVAIL) if self.sources.on_shortage(address) => {}
                Err(Errno::MFILE) if self.lingering.close_all() => {}
                begun => {
                    self.is_spread |= self.sources.is_spread(address);
                    return begun;
                }
            }
        }
        Err(Errno::ADDRNOTAVAIL)
    }

    fn begin_unix(&mut self) -> Result<OwnedFd, Errno> {
        match &self.route.end {
            End::Unix(_, address) => begin_connect_unix(address),
            End::Address(_) | End::Name(..) => Err(Errno::DESTADDRREQ),
        }
    }

    /// Tries once more what a full backlog held up.
    pub(super) fn open_again(&mut self, now: Nanos) {
        if self.again.is_empty() || now < self.again_at {
            return;
        }
        self.again_at = now + AGAIN_PAUSE;
        for (id, generation) in std::mem::take(&mut self.again) {
            let link = &self.links[id as usize];
            if link.generation == generation && link.opening.is_some() {
                self.open(id);
            }
        }
    }

    /// Whether the socket that was to be connected is.
    pub(super) fn is_socket_connected(&mut self, id: SlotId, flags: EventFlags) -> bool {
        let link = &self.links[id as usize];
        let socket = link.socket.as_ref().expect("events come of sockets that are there");
        match sockopt::socket_error(socket).and_then(|result| result) {
            Ok(()) => flags.contains(EventFlags::OUT),
            Err(error) => {
                let address = link.opening.as_ref().and_then(|opening| opening.address);
                let words = failure("connect", &self.route.end, address, error);
                self.worker.failed(id, kind_of(error), &words, self.clock.now());
                false
            }
        }
    }

    /// The socket is connected: the proxy is asked, if there is one.
    pub(super) fn socket_connected(&mut self, id: SlotId) {
        let Some(request) = &self.route.tunnel else { return self.reached(id) };
        let link = &mut self.links[id as usize];
        link.opening().step = Step::Tunnel(Vec::new());
        if let Err(error) = link.send(request) {
            self.fail_later(id, "send to", error);
        }
    }

    /// The way to the target is open: TLS begins, if it is to be.
    fn reached(&mut self, id: SlotId) {
        let now = self.clock.now();
        let link = &mut self.links[id as usize];
        let opening = link.opening();
        opening.connected = now;
        let Some(secure) = &self.route.secure else { return self.opened(id, now) };
        opening.step = Step::Handshake;
        self.plain.clear();
        self.sealed.clear();
        let begun = Session::new(secure).and_then(|mut session| {
            session.receive(&mut [], &mut self.plain, &mut self.sealed)?;
            Ok(session)
        });
        match begun {
            Ok(session) => {
                link.tls = Some(Box::new(session));
                if let Err(error) = link.send(&self.sealed) {
                    self.fail_later(id, "send to", error);
                }
            }
            Err(error) => self.tell_later(id, ErrorKind::Tls, explain(&error)),
        }
    }

    /// Requests can be sent.
    pub(super) fn opened(&mut self, id: SlotId, now: Nanos) {
        let link = &mut self.links[id as usize];
        let opening = link.opening.take().expect(OPENS);
        let established = Established {
            dns: opening.resolved.map(|resolved| resolved - opening.began),
            connect: opening.connected - opening.resolved.unwrap_or(opening.began),
            tls: link.tls.as_ref().map(|_| now - opening.connected),
            is_resumed: link.tls.as_ref().is_some_and(|tls| tls.is_resumed()),
            is_http2: link.tls.as_ref().is_some_and(|tls| tls.alpn() == Some(b"h2")),
        };
        if self.observer.is_some() {
            self.show_opened(id, opening.address);
        }
        self.worker.connected(id, established, now);
        self.act();
    }

    /// The first `filled` bytes of the buffer are what the proxy has answered.
    pub(super) fn tunnel_received(&mut self, id: SlotId, filled: usize) {
        // A handshake that could not begin is told in the next turn; what the target says until then is ignored.
        let Step::Tunnel(head) = &mut self.links[id as usize].opening().step else { return };
        head.extend_from_slice(&self.buffer[..filled]);
        match Proxy::opens(head) {
            Ok(false) => {}
            Ok(true) => self.reached(id),
            Err(problem) => self.worker.failed(id, ErrorKind::Proxy, &problem, self.clock.now()),
        }
    }

    /// The connection ended, by `error` or in order, before requests could be sent.
    pub(super) fn ended_early(&mut self, id: SlotId, error: Option<Errno>, now: Nanos) {
        let opening = self.links[id as usize].opening();
        let how = match error {
            None => "closed the connection".to_owned(),
            Some(error) => format!("broke the connection ({})", std::io::Error::from(error)),
        };
        let (kind, words) = match &opening.step {
            Step::Tunnel(_) => (ErrorKind::Proxy, format!("the proxy {how} instead of answering CONNECT")),
            _ => (ErrorKind::Tls, format!("the target {how} within the TLS handshake")),
        };
        self.worker.failed(id, kind, &words, now);
    }
}
