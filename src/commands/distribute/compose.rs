//! A file for Compose: parts are containers of one service, on one machine or on a swarm.

use super::{
    distribution::{Distribution, LoadFile, plain},
    engines::Engine,
    words::{yaml, yaml_list},
};

pub const ENGINE: Engine = Engine {
    name: "compose",
    about: "a file for docker compose",
    needs_image: true,
    files_bytes_max: None,
    print: file,
};

fn file(it: &Distribution) -> String {
    let load = it.load.iter().map(|word| word.text.clone()).chain(it.join("collector"));
    let record = if it.stays() { [].as_slice() } else { &["--record", "/record/part.db"] };
    let load = load.chain(record.iter().map(|&word| word.to_owned())).collect();
    format!(
        "{heading}name: {name}
services:
{collector}  part:
    image: {image}
    command:
{load}{rights}    environment:
      PLIMSOLL_TOKEN: {token}
{tmpfs}{files}{depends}    deploy:
      replicas: {parts}
      resources:
        limits: {{cpus: {cpus}, memory: {memory}}}
{volumes}",
        heading = heading(it),
        name = it.name,
        image = yaml(&it.image),
        collector = if it.stays() { String::new() } else { collector(it) },
        load = yaml_list(6, &escaped(load)),
        rights = RIGHTS,
        token = yaml(&it.token),
        tmpfs = if it.stays() { "" } else { "    tmpfs:\n      - /record:uid=65532,gid=65532\n" },
        files = files(it),
        depends = if it.stays() { "" } else { "    depends_on: [collector]\n" },
        volumes = if it.stays() { "" } else { "volumes:\n  record:\n" },
        parts = it.parts,
        cpus = yaml(&cpus(&it.share.cpu)),
        memory = yaml(it.share.memory.trim_end_matches('i')),
    )
}

fn collector(it: &Distribution) -> String {
    let mut collect = it.collect();
    collect.extend(["--record", "/record/plimsoll.db"].map(str::to_owned));
    format!(
        "  collector:
    image: {image}
    command:
{collect}{RIGHTS}    environment:
      PLIMSOLL_TOKEN: {token}
    volumes:
      - record:/record
",
        image = yaml(&it.image),
        collect = yaml_list(6, &escaped(collect)),
        token = yaml(&it.token),
    )
}

const RIGHTS: &str = "    working_dir: /load
    user: \"65532:65532\"
    read_only: true
    cap_drop: [ALL]
    security_opt: [\"no-new-privileges:true\"]
    restart: \"no\"
";

fn heading(it: &Distribution) -> String {
    let start = ("start", "docker compose -f FILE up --detach".to_owned());
    if it.stays() {
        return it.heading(&[start, ("remove", "docker compose -f FILE down".to_owned())]);
    }
    it.heading(&[
        start,
        ("follow", "docker compose -f FILE logs --follow collector".to_owned()),
        // `docker compose wait` knows no container that has ended.
        ("exit code", format!("docker wait {}-collector-1", it.name)),
        ("record", "docker compose -f FILE cp collector:/record/plimsoll.db .".to_owned()),
        ("remove", "docker compose -f FILE down --volumes".to_owned()),
        ("note", format!("parts have {} to come; on one machine they measure each other", plain(it.deadline))),
    ])
}

/// Compose replaces `$NAME`, also where it is meant as it is.
fn escaped(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| word.replace('$', "$$")).collect()
}

/// Read where they are.
fn files(it: &Distribution) -> String {
    if it.files.is_empty() {
        return String::new();
    }
    let line =
        |file: &LoadFile| format!("      - {}\n", yaml(&format!("./{0}:/load/{0}:ro", file.path.replace('$', "$$"))));
    format!("    volumes:\n{}", it.files.iter().map(line).collect::<String>())
}

/// Processors, where the engine takes decimals.
fn cpus(text: &str) -> String {
    let thousandths = text.strip_suffix('m').and_then(|digits| digits.parse::<u32>().ok());
    thousandths.map_or_else(|| text.to_owned(), |number| format!("{}", f64::from(number) / 1_000.0))
}
