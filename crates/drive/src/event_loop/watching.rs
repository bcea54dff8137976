//! Telling an observer. None of it is reached in a load that is not watched.

use std::net::SocketAddr;

use plimsoll_engine::SlotId;

use super::EventLoop;
use crate::observer::{Seen, TlsSeen};

impl EventLoop {
    #[cold]
    pub(super) fn show_opened(&self, id: SlotId, address: Option<SocketAddr>) {
        let names = self.links[id as usize].tls.as_ref().map(|tls| (tls, tls.version(), tls.cipher()));
        let tls = names.as_ref().map(|(tls, version, cipher)| TlsSeen {
            version,
            cipher,
            alpn: tls.alpn(),
            is_resumed: tls.is_resumed(),
        });
        self.show(Seen::Opened { address, tls });
    }

    #[cold]
    pub(super) fn show(&self, seen: Seen<'_>) {
        if let Some(observer) = &self.observer {
            observer.see(self.clock.now(), seen);
        }
    }
}
