//! Where requests are, and the chain of what they pass.

use plimsoll_record::Window;
use serde::Serialize;

/// The part with requests of all places that have too few for a part of their own.
pub const OTHERS: &str = "others";

/// Requests in flight by where they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WhereRequestsAre {
    /// Names of the parts, eight at most; the last one is for requests that were not located.
    pub parts: Vec<String>,
    /// Means under each load.
    pub loads: Vec<RequestsAt>,
    /// Numbers at each look; if threads are seen, only at looks that asked for them.
    pub looks: Vec<RequestsAt>,
}

/// Requests in flight under a load, or at an instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestsAt {
    /// The load: `light`, one request at a time, or `full`.
    pub load: Window,
    /// Since the start of the run; none of a whole load.
    pub at_s: Option<f64>,
    /// Number of requests, for each of the parts.
    pub requests: Vec<f64>,
}

/// A link of the chain: a queue or a resource that requests pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Link {
    /// The kind: that of a limit, if there is one for it. Unique and never renamed.
    pub kind: &'static str,
    /// Its kind in a few words.
    pub name: String,
    /// Its name: a library, a class, an address.
    pub detail: Option<String>,
    /// How many of it are in use on average; none where that was not seen.
    pub busy: Option<f64>,
    /// How many there are, as far as seen.
    pub size: Option<f64>,
    /// Requests that wait for it.
    pub waiting: f64,
    /// How long it takes, where that is known.
    pub takes_ms: Option<f64>,
    /// Whether it is what gives way first.
    pub is_limit: bool,
}
