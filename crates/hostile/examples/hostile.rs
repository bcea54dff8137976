//! A hostile server to try a client on by hand, or from another language: `cargo run -p plimsoll-hostile --example
//! hostile` lists all behaviours, and with the words of one it serves that one and prints its address.

use std::{env, thread};

use plimsoll_hostile::{Family, Server};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = env::args().skip(1).collect::<Vec<_>>().join(" ");
    let all = plimsoll_hostile::all();
    let name = |behaviour: &plimsoll_hostile::Behaviour| format!("{:?}: {}", behaviour.family, behaviour.name);
    let Some(behaviour) = all.iter().find(|behaviour| name(behaviour) == wanted) else {
        all.iter().for_each(|behaviour| println!("{}", name(behaviour)));
        return Err(format!("expected one of these, such as `Http2: PINGs without end`; found `{wanted}`").into());
    };
    if behaviour.family == Family::PrometheusClient {
        return Err("expected a server; found a client".into());
    }
    println!("{}", Server::start(behaviour)?.address);
    loop {
        thread::park();
    }
}
