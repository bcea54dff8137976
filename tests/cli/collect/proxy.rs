//! A network between a part and its collector, which breaks.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
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

/// Passes on to `collector`; its URL.
pub fn start(collector: String, after_bytes: usize, fate: Fate) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let cuts = Arc::new(AtomicU64::new(0));
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let Ok(server) = TcpStream::connect(&collector) else { continue };
            let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            thread::spawn(move || drop(std::io::copy(&mut from, &mut to)));
            let cuts = cuts.clone();
            thread::spawn(move || pass(client, server, after_bytes, fate, &cuts));
        }
    });
    url
}

fn pass(mut client: TcpStream, mut server: TcpStream, after_bytes: usize, fate: Fate, cuts: &AtomicU64) {
    let (mut buffer, mut passed) = ([0; 4096], 0);
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        passed += read;
        if passed > after_bytes {
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
