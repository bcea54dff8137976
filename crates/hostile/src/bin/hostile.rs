//! Hostile servers for clients of any language: see `USAGE`.

use std::{env, io, io::Read, process::ExitCode, thread};

use plimsoll_hostile::{Behaviour, Family, Server, tls};

const USAGE: &str = "\
Hostile servers for clients of any language, on loopback.

usage: hostile --list              names all behaviours: family, name, result
       hostile FAMILY: NAME        serves one, to every other request from the first, and prints its address
       hostile --all FAMILY...     serves all of these families, each on a port of its own and to every request, and
                                   prints a table; ends when its standard input does

columns of the table, between tabs: family, name, port, `http` or `https`, kinds of the error between commas or `none`,
`head` if it sends a whole head of HTTP/1.1 or `no-head`. Its first line is `trusted`, and the file with the certificate
to trust.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hostile: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        None => Err(format!("expected a behaviour or an option\n\n{USAGE}")),
        Some((first, [])) if first == "-h" || first == "--help" => {
            print!("{USAGE}");
            Ok(())
        }
        Some((first, [])) if first == "--list" => {
            plimsoll_hostile::all().iter().for_each(|it| println!("{}\t{}", name(it), result(it)));
            Ok(())
        }
        Some((first, families)) if first == "--all" => serve_all(families),
        _ => serve_one(&arguments.join(" ")),
    }
}

fn name(behaviour: &Behaviour) -> String {
    format!("{:?}: {}", behaviour.family, behaviour.name)
}

fn result(behaviour: &Behaviour) -> String {
    let kinds: Vec<&str> = behaviour.outcome.kinds.iter().map(|kind| kind.as_str()).collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(",") }
}

fn serve_one(wanted: &str) -> Result<(), String> {
    let all = plimsoll_hostile::all();
    let behaviour = all.iter().find(|it| name(it) == wanted).ok_or_else(|| {
        format!("expected a behaviour such as `Http2: PINGs without end`, found `{wanted}`: --list names them")
    })?;
    if behaviour.family == Family::PrometheusClient {
        return Err(format!("`{wanted}` is a client: expected a server"));
    }
    let server = Server::start(behaviour).map_err(no_server)?;
    println!("{}", server.address);
    loop {
        thread::park();
    }
}

fn serve_all(families: &[String]) -> Result<(), String> {
    let mut servers = Vec::new();
    println!("trusted\t{}", tls::trusted().display());
    for family in families {
        let is_of_it = |it: &Behaviour| format!("{:?}", it.family) == *family;
        let behaviours: Vec<_> = plimsoll_hostile::all().into_iter().filter(is_of_it).collect();
        if behaviours.is_empty() || family == "PrometheusClient" {
            return Err(format!("expected a family of servers, e.g. Http1 or Tls, found `{family}`"));
        }
        for behaviour in behaviours {
            let server = Server::start_hostile_to_all(&behaviour).map_err(no_server)?;
            let scheme = if behaviour.family == Family::Tls { "https" } else { "http" };
            let head = if behaviour.sends_head() { "head" } else { "no-head" };
            let port = server.address.port();
            println!("{family}\t{}\t{port}\t{scheme}\t{}\t{head}", behaviour.name, result(&behaviour));
            servers.push(server);
        }
    }
    println!("ready");
    // The process that started this one holds the other end, and lets go of it in dying.
    io::stdin().lock().read_to_end(&mut Vec::new()).map_err(|error| error.to_string())?;
    Ok(())
}

fn no_server(error: io::Error) -> String {
    format!("no server can be started: {error}")
}
