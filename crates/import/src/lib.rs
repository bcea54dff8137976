//! Requests from what people have at hand: a curl command, IntelliJ's `.http` file, a HAR recording, an OpenAPI
//! document. Pure: whoever calls gives the text, and a way to read the files that the text names.

pub mod curl;
mod error;
pub mod har;
mod headers;
pub mod http_file;
mod multipart;
pub mod openapi;
mod placeholders;
mod target;

use plimsoll_record::Nanos;

pub use error::{ImportError, Place};

/// Reads a file that the text names, given its path as written there; the reason in words if it cannot.
pub type Files<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// The requests that the text describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// In the order in which they are sent; never empty.
    pub requests: Vec<ImportedRequest>,
    /// Variables whose values have `{{…}}` in them, so that only the load can know them. All others are in their
    /// places.
    pub variables: Vec<(String, String)>,
    /// How the requests are to be sent.
    pub options: TransferOptions,
    /// Notes about parts left out or made up, with the reason: one line each.
    pub notes: Vec<String>,
}

/// One request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedRequest {
    /// Its name in the text, or method and path.
    pub name: String,
    /// In capitals.
    pub method: String,
    /// Absolute. It, the headers' values and the body may hold `{{variable}}`.
    pub url: String,
    /// Without those that follow from the rest, such as `Content-Length`.
    pub headers: Vec<(String, String)>,
    /// Empty for none.
    pub body: Vec<u8>,
    /// From the end of the requests before to this one, where the text tells.
    pub pause: Option<Nanos>,
}

/// How requests are sent. Options that the text leaves open are `None`, false or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransferOptions {
    /// Whether the target's certificate is not checked.
    pub insecure: bool,
    /// The version of HTTP.
    pub http: Option<HttpVersion>,
    /// Time-out of a request, from its start to its end.
    pub max_time: Option<Nanos>,
    /// Time-out of a connection.
    pub connect_timeout: Option<Nanos>,
    /// How many redirects are followed.
    pub max_redirects: Option<u32>,
    /// As it was written, e.g. `http://proxy:3128`.
    pub proxy: Option<String>,
    /// Path of the socket to connect to.
    pub unix_socket: Option<String>,
    /// curl's `HOST1:PORT1:HOST2:PORT2`.
    pub connect_to: Vec<String>,
    /// curl's `HOST:PORT:ADDRESS`.
    pub resolve: Vec<String>,
    /// Path of the certificates to trust.
    pub cacert: Option<String>,
    /// Path of the client's certificate.
    pub cert: Option<String>,
    /// Path of the client's private key.
    pub key: Option<String>,
}

impl TransferOptions {
    /// One set for requests that came with several: whatever any of them needs.
    fn merge(&mut self, other: Self) {
        self.insecure |= other.insecure;
        self.http = self.http.or(other.http);
        self.max_time = self.max_time.max(other.max_time);
        self.connect_timeout = self.connect_timeout.max(other.connect_timeout);
        self.max_redirects = self.max_redirects.max(other.max_redirects);
        self.connect_to.extend(other.connect_to);
        self.resolve.extend(other.resolve);
        let texts = [
            (&mut self.proxy, other.proxy),
            (&mut self.unix_socket, other.unix_socket),
            (&mut self.cacert, other.cacert),
            (&mut self.cert, other.cert),
            (&mut self.key, other.key),
        ];
        for (first, second) in texts {
            *first = first.take().or(second);
        }
    }
}

/// A version of HTTP, as a client can ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/1.1 alone.
    Http1,
    /// HTTP/2 if the target agrees to it (ALPN).
    Http2,
    /// HTTP/2 from the first byte.
    Http2PriorKnowledge,
}

impl Imported {
    /// The names in `{{…}}` that nothing here gives a value to, each once: variables to be given, and those whose
    /// values are made anew for each request (`$uuid`).
    pub fn open_placeholders(&self) -> Vec<String> {
        let mut names = Vec::new();
        let values = self.variables.iter().map(|(_, value)| value.clone());
        for text in self.requests.iter().flat_map(ImportedRequest::texts).chain(values) {
            for name in placeholders::names(&text) {
                if !names.contains(&name) && !self.variables.iter().any(|(variable, _)| *variable == name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

impl ImportedRequest {
    /// Everything that may hold `{{…}}`.
    fn texts(&self) -> Vec<String> {
        let headers = self.headers.iter().map(|(_, value)| value.clone());
        let body = String::from_utf8_lossy(&self.body).into_owned();
        [self.url.clone(), body].into_iter().chain(headers).collect()
    }
}
