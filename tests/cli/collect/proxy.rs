//! A network between a part and its collector, which breaks.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

/// Fate of connections that have carried so many bytes to the collector.
#[derive(Clone, Copy)]
pub enum Fate {
    /// The first two are cut; later ones are not.
    CutTwice,
    /// Nothing gets through any more.
    Stuck,
}

/// A network to a collector.
pub struct Proxy {
    pub url: String,
    /// A message for each connection that has met its fate.
    pub met: Receiver<()>,
}

/// Passes on to `collector`.
pub fn start(collector: String, after_bytes: usize, fate: Fate) -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let cuts = Arc::new(AtomicU64::new(0));
    let (meets, met) = mpsc::channel();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let Ok(server) = TcpStream::connect(&collector) else { continue };
            let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            thread::spawn(move || drop(std::io::copy(&mut from, &mut to)));
            let (cuts, meets) = (cuts.clone(), meets.clone());
            thread::spawn(move || pass(client, server, after_bytes, fate, &cuts, &meets));
        }
    });
    Proxy { url, met }
}

fn pass(
    mut client: TcpStream,
    mut server: TcpStream,
    after_bytes: usize,
    fate: Fate,
    cuts: &AtomicU64,
    meets: &Sender<()>,
) {
    let (mut buffer, mut passed) = ([0; 4096], 0);
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        passed += read;
        if passed > after_bytes {
            // Nobody may listen.
            let _ = meets.send(());
            match fate {
                Fate::Stuck => continue,
                Fate::CutTwice if cuts.fetch_add(1, Ordering::Relaxed) < 2 => break,
                Fate::CutTwice => passed = 0,
            }
        }
        if server.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
}
