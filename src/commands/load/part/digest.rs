//! A digest of everything that is sent, so that parts of different loads do not take part in one.

use std::fmt::{self, Write};

use plimsoll_drive::{Job, Options};
use plimsoll_gather::hexadecimal;
use sha2::{Digest, Sha256};

/// The digest of the scripts of `job` and of all options by which requests differ. Threads, addresses and certificates
/// are each machine's own.
pub fn of(job: &Job) -> String {
    let mut text = Digested(Sha256::new());
    for scenario in &job.scenarios {
        let load = (&scenario.name, scenario.start, &scenario.load, scenario.is_staggered);
        writeln!(text, "{load:?} {:?}", scenario.script).expect("a digest takes every text");
    }
    let Options { connect_timeout, response_timeout, max_redirects, keep_alive, connection, .. } = &job.options;
    let times = (connect_timeout, response_timeout, max_redirects, keep_alive);
    let reuse = (connection.http2_streams, connection.max_requests, connection.idle_time, connection.reuse);
    write!(text, "{times:?} {reuse:?}").expect("a digest takes every text");
    hexadecimal(&text.0.finalize())
}

/// Text that is not kept.
struct Digested(Sha256);

impl Write for Digested {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_drive::Request;
    use plimsoll_record::{Load, Nanos, ThinkTime};

    use super::*;

    fn job(path: &str, header: &str) -> Job {
        let load = Load::ConstantVus { vus: 1, duration: Nanos::from_secs(1), think: ThinkTime::None };
        let mut request = Request::get(format!("http://h/{path}").parse().unwrap());
        request.headers.push(("X".to_owned(), header.to_owned()));
        Job::single(load, request, Options { seed: 4, threads: Some(3), ..Options::default() })
    }

    #[test]
    fn loads_that_send_something_else_differ_and_seeds_and_threads_do_not_count() {
        let mut same = job("a", "1");
        (same.options.seed, same.options.threads) = (5, None);
        assert_eq!(of(&job("a", "1")), of(&same));
        let mut slower = job("a", "1");
        slower.options.response_timeout = Nanos::from_secs(7);
        for other in [job("b", "1"), job("a", "2"), slower] {
            assert_ne!(of(&job("a", "1")), of(&other));
        }
    }
}
