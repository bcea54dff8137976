//! Collectors of OTLP that take no metrics, or make a load wait for them. The load succeeds, and warns.

use crate::behaviour::{Behaviour, Ends, Family, HARMLESS, Outcome, Place, Security, Step, drip, flood, send};

/// The load warns in these words.
const fn warns(words: &'static [&'static str]) -> Outcome {
    Outcome { words, ..HARMLESS }
}

const WARNS: Outcome = warns(&["warning: no metrics to"]);

pub fn behaviours() -> Vec<Behaviour> {
    let with = |name, steps, outcome| {
        Behaviour::new(Family::Collector, name, (Place::Connected, Security::None), steps, outcome)
    };
    let waits = |name, steps| with(name, steps, WARNS).ending(Ends::AtTimeOut);
    let answers = |name, bytes: &str, outcome| with(name, vec![Step::Read, send(bytes)], outcome);
    vec![
        waits("silence", vec![Step::Wait]),
        waits("a socket that is never read", vec![Step::Freeze]),
        waits("an answer that drips", vec![Step::Read, drip("H")]),
        waits("a head that drips", vec![Step::Read, send("HTTP/1.1 200 OK\r\nX: "), drip("y")]),
        with("an end at once", vec![], WARNS),
        with("a reset", vec![Step::Read, Step::Reset], WARNS),
        with("a header without end", vec![Step::Read, send("HTTP/1.1 200 OK\r\nX: "), flood("y")], WARNS),
        with("headers without end", vec![Step::Read, send("HTTP/1.1 200 OK\r\n"), flood("X: y\r\n")], WARNS),
        with("interim responses without end", vec![Step::Read, flood("HTTP/1.1 100 Continue\r\n\r\n")], WARNS),
        answers("an end within a head", "HTTP/1.1 200 OK\r\nConte", WARNS),
        answers("SSH", "SSH-2.0-OpenSSH_9.9\r\n", WARNS),
        answers(
            "another protocol",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
            WARNS,
        ),
        answers(
            "a redirect",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
            warns(&["warning: no metrics to", "redirects are not followed"]),
        ),
        answers(
            "a redirect to itself",
            "HTTP/1.1 308 Permanent Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
            warns(&["warning: no metrics to", "redirects are not followed"]),
        ),
        answers("metrics that are too large for it", "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", WARNS),
        answers("metrics that it does not understand", "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n", WARNS),
        answers("a failure of its own", "HTTP/1.1 503 Busy\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n", WARNS),
        with("a body without end", vec![Step::Read, send("HTTP/1.1 200 OK\r\n\r\n"), flood("x")], HARMLESS),
    ]
}
