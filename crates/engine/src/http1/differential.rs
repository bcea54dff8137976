//! Differential test: this parser and llhttp, which Node.js carries, read the same bytes; `classes` says why they
//! differ where they do.

mod classes;
mod events;
mod mutations;

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use classes::{CLASSES, Case};

/// Responses that are made of those of the corpus.
const MUTATED: usize = 100_000;
/// Longest file of the corpus that is changed. Longer ones are there for limits, and are read as they are.
const MUTATED_BYTES_MAX: usize = 1_000;
const SEED: u64 = 16;
/// Beginning of the versions of llhttp whose differences the table lists completely.
const LLHTTP: &str = "9.3.";

/// Bytes to be read, and whether they answer a HEAD.
struct Input {
    data: Vec<u8>,
    to_head: bool,
}

#[test]
fn responses_are_read_as_llhttp_reads_them_or_the_table_says_why_not() {
    let inputs = inputs();
    let Some(lines) = ask_node(&inputs) else {
        println!("skipped: no node, whose llhttp is what responses are read with");
        return;
    };
    let (version, lines) = lines.split_first().expect("the version of llhttp");
    if !version.starts_with("9.") {
        println!("skipped: expected a node with llhttp 9, found {version}");
        return;
    }
    assert_eq!(lines.len(), inputs.len());
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (input, line) in inputs.iter().zip(lines) {
        let found = events::difference(events::ours(&input.data, input.to_head), events::theirs(line));
        let Some((ours, theirs)) = found else { continue };
        let case = Case { input, ours: &ours, theirs: &theirs };
        match CLASSES.iter().find(|class| (class.has)(&case)) {
            Some(class) => *seen.entry(class.name).or_default() += 1,
            None => unexplained.push(describe(input, &case)),
        }
    }
    println!("llhttp {version}: {} inputs, differences: {seen:#?}", inputs.len());
    let shown = unexplained.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(unexplained.is_empty(), "{} differences in no class:\n{shown}", unexplained.len());
    if version.starts_with(LLHTTP) {
        assert_documented(&table(version, inputs.len(), &seen));
    }
}

/// The part of `docs/reliability.md` that tells of the differences.
fn table(version: &str, inputs: usize, seen: &BTreeMap<&str, usize>) -> String {
    let rows = CLASSES.iter().map(|class| {
        let count = seen.get(class.name).copied().unwrap_or_default();
        assert!(count > 0, "nothing differs by `{}` ({}): delete it", class.name, class.reason);
        format!("| `{}` | {count} | {} |\n", class.name, class.reason)
    });
    let rows: String = rows.collect();
    let all: usize = seen.values().sum();
    format!(
        "llhttp {version}: {inputs} inputs are read by both, {all} differently, each for one of these reasons:\n\n\
         | class | inputs | why it differs |\n|---|---|---|\n{rows}"
    )
}

/// `UPDATE_DOCS=1 cargo test -p plimsoll-engine differential` writes the part anew.
fn assert_documented(expected: &str) {
    const MARKS: [&str; 2] = ["<!-- differences from llhttp -->\n", "<!-- end of the differences -->\n"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reliability.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).expect("a mark where the differences begin");
    let (found, after) = rest.split_once(MARKS[1]).expect("a mark where the differences end");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(path, [before, MARKS[0], expected, MARKS[1], after].concat()).unwrap();
    }
    let how = "run UPDATE_DOCS=1 cargo test -p plimsoll-engine differential";
    assert!(found == expected, "docs/reliability.md is not current: {how}. Expected:\n{expected}");
}

fn describe(input: &Input, case: &Case<'_>) -> String {
    let shown = &input.data[..input.data.len().min(400)];
    let to_head = if input.to_head { " to a HEAD" } else { "" };
    format!("\"{}\"{to_head}\n   ours: {:?}\n   theirs: {:?}", shown.escape_ascii(), case.ours, case.theirs)
}

/// The corpus, and what is made of it.
fn inputs() -> Vec<Input> {
    let chunked_head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunked = files("chunked").into_iter().map(|body| [&chunked_head[..], &body].concat());
    let corpus: Vec<Vec<u8>> = files("http1").into_iter().chain(chunked).collect();
    let short: Vec<Vec<u8>> = corpus.iter().filter(|data| data.len() <= MUTATED_BYTES_MAX).cloned().collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mutated = (0..MUTATED).map(|_| {
        let data = mutations::mutated(&short, &mut random);
        Input { data, to_head: random.random_range(0..8) == 0 }
    });
    let mutated: Vec<Input> = mutated.collect();
    let whole = corpus.iter().flat_map(|data| [true, false].map(|to_head| Input { data: data.clone(), to_head }));
    whole.chain(mutated).collect()
}

/// Files of a directory of the corpus, in the order of their names.
fn files(directory: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(directory);
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Lines that `llhttp.js` prints; none where there is no node.
fn ask_node(inputs: &[Input]) -> Option<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http1/differential/llhttp.js");
    let mut command = Command::new("node");
    command.args(["--no-deprecation".as_ref(), script.as_os_str()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut node = command.spawn().ok()?;
    let coded = inputs.iter().flat_map(|input| {
        let length = (input.data.len() as u32).to_le_bytes();
        [&[u8::from(input.to_head)], &length[..], &input.data].concat()
    });
    let coded: Vec<u8> = coded.collect();
    let mut stdin = node.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || stdin.write_all(&coded));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "node failed: {}", output.status);
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}
