//! Responses made of others by small changes, of a fixed seed.

use rand::{Rng, RngExt};

/// Bytes that mean something to a parser of HTTP, and some that nobody expects.
const BYTES: &[u8] = b"\r\n \t:;,\"=019afxF\0\x7f\x80\xc2\x85+-_%/H";
/// Lines that change what others mean.
const LINES: &[&[u8]] = &[
    b"\r\n",
    b"\n",
    b" folded\r\n",
    b"\tfolded\r\n",
    b"X : y\r\n",
    b"X: a\rb\r\n",
    b"no colon\r\n",
    b"Connection: close\r\n",
    b"Connection: keep-alive\r\n",
    b"Connection: close, keep-alive\r\n",
    b"Content-Length: 0\r\n",
    b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: gzip\r\n",
    b"Transfer-Encoding: chunked, gzip\r\n",
    b"3\r\nabc\r\n",
    b"3;a=b\r\nabc\r\n",
    b"0\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"HTTP/1.0 200 OK\r\n",
    b"HTTP/1.1 204 No Content\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
];

/// One of `corpus` with one to three changes.
pub fn mutated(corpus: &[Vec<u8>], random: &mut impl Rng) -> Vec<u8> {
    let mut data = corpus[random.random_range(0..corpus.len())].clone();
    for _ in 0..random.random_range(1..=3) {
        change(&mut data, corpus, random);
    }
    data
}

fn change(data: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut impl Rng) {
    let at = random.random_range(0..=data.len());
    let byte = BYTES[random.random_range(0..BYTES.len())];
    let line = LINES[random.random_range(0..LINES.len())];
    match random.random_range(0..8) {
        0 => data.insert(at, byte),
        1 | 2 if at < data.len() => data[at] = byte,
        3 => drop(data.drain(at..data.len().min(at + 2))),
        4 | 5 => insert(data, random, line),
        6 => data.truncate(at),
        _ => data.extend_from_slice(&corpus[random.random_range(0..corpus.len())]),
    }
}

/// Puts `line` at the beginning of one of the lines.
fn insert(data: &mut Vec<u8>, random: &mut impl Rng, line: &[u8]) {
    let starts: Vec<usize> = (0..=data.len()).filter(|&at| at == 0 || data[at - 1] == b'\n').collect();
    let start = starts[random.random_range(0..starts.len())];
    data.splice(start..start, line.iter().copied());
}
