//! One end of an emulated network: a namespace, and a TUN device in it that this process reads and writes.

use std::{
    fs::File,
    io::{self, Read, Seek},
    net::Ipv4Addr,
    thread,
};

use rtnetlink::LinkUnspec;
use tun_rs::{DeviceBuilder, SyncDevice};

use crate::namespace::{HeldNamespace, Sysctls};

const DEVICE: &str = "wan0";
/// As on Ethernet.
const MTU_BYTES: u16 = 1_500;
/// Packets that the kernel keeps until they are read: as many as some thousand connections send at once.
const QUEUE_PACKETS: u32 = 20_000;
/// The loopback interface is the first one of every namespace.
const LOOPBACK_INDEX: u32 = 1;

/// One end.
#[derive(Debug)]
pub struct End {
    pub namespace: HeldNamespace,
    pub device: Device,
}

/// Reads what the namespace sends, and writes what it receives; does not block.
pub struct Device {
    pub tun: SyncDevice,
    /// The kernel's counts of the namespace's interfaces.
    statistics: File,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").finish_non_exhaustive()
    }
}

impl End {
    /// Makes one with `address`, which can reach all of the network `prefix` bits long.
    ///
    /// # Errors
    ///
    /// In words: what is missing, and that is root in most cases.
    pub fn make(address: Ipv4Addr, prefix: u8) -> Result<Self, String> {
        // On a thread of its own, for the calling one stays where it is.
        let made = thread::spawn(move || make(address, prefix)).join();
        made.unwrap_or_else(|_| Err("the thread that makes a network namespace panicked".to_owned()))
    }
}

fn make(address: Ipv4Addr, prefix: u8) -> Result<End, String> {
    let sysctls = Sysctls::here();
    let namespace = HeldNamespace::make().map_err(|error| format!("a network namespace cannot be made: {error}"))?;
    sysctls.apply();
    let device = Device::make().map_err(|error| format!("a TUN device cannot be made (/dev/net/tun): {error}"))?;
    let index = device.tun.if_index().map_err(|error| format!("the TUN device has no index: {error}"))?;
    configure(index, address, prefix).map_err(|error| format!("a network interface cannot be set up: {error}"))?;
    Ok(End { namespace, device })
}

fn configure(index: u32, address: Ipv4Addr, prefix: u8) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let (connection, handle, _) = rtnetlink::new_connection()?;
        runtime.spawn(connection);
        handle.link().set(LinkUnspec::new_with_index(LOOPBACK_INDEX).up().build()).execute().await?;
        handle.address().add(index, address.into(), prefix).execute().await?;
        handle.link().set(LinkUnspec::new_with_index(index).up().build()).execute().await?;
        Ok(())
    })
}

impl Device {
    /// In the calling thread's namespace.
    fn make() -> io::Result<Self> {
        let queue = |builder: &mut tun_rs::DeviceBuilderGuard<'_>| {
            builder.tx_queue_len(QUEUE_PACKETS);
        };
        let tun = DeviceBuilder::new().name(DEVICE).mtu(MTU_BYTES).with(queue).enable(false).build_sync()?;
        tun.set_nonblocking(true)?;
        Ok(Self { tun, statistics: File::open("/proc/thread-self/net/dev")? })
    }

    /// Packets that the kernel dropped, because its queue was full.
    pub fn overflowed(&mut self) -> u64 {
        let mut text = String::new();
        let read = self.statistics.rewind().and_then(|()| self.statistics.read_to_string(&mut text));
        read.map_or(0, |_| transmit_drops(&text))
    }
}

/// Drops of [`DEVICE`], by `/proc/net/dev`: eight columns of what was received, then bytes, packets, errors and drops
/// of what was sent.
fn transmit_drops(text: &str) -> u64 {
    const COLUMN: usize = 11;
    let columns = text.lines().find_map(|line| line.trim_start().strip_prefix(DEVICE)?.strip_prefix(':'));
    columns.and_then(|columns| columns.split_whitespace().nth(COLUMN)?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_found_in_the_kernels_table() {
        let text = "Inter-| Receive | Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes …\n    \
                    lo:       0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n  \
                    wan0:     100 2 0 7 0 0 0 0 200 4 0 31 0 0 0 0\n";
        assert_eq!(transmit_drops(text), 31);
        assert_eq!(transmit_drops("nonsense\nwan0:\n"), 0);
    }
}
