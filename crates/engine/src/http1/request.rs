//! A request as bytes, made once and sent many times.

use url::Url;

use crate::script::piece;

/// Sent unless the caller gives one.
pub(crate) const USER_AGENT: &str = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));

/// An HTTP request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// URL that it goes to.
    pub url: Url,
    /// E.g. `GET`.
    pub method: String,
    /// Added to, or replacing, `Host`, `User-Agent` and `Accept`, which are sent by default.
    pub headers: Vec<(String, String)>,
    /// Empty for none.
    pub body: Vec<u8>,
}

/// Why a redirect cannot be followed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectError {
    /// Its `Location` is not a URL.
    Invalid(String),
    /// It leads to another scheme, host or port.
    Elsewhere(String),
}

impl Request {
    /// A GET of `url` with the default headers.
    pub fn get(url: Url) -> Self {
        Self { url, method: "GET".to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// The request to make after a redirect with `status` to `location`.
    ///
    /// # Errors
    ///
    /// The `location` is no URL, or leaves the host and port, whose connection is the only one that there is.
    pub fn redirected(&self, status: u16, location: &str) -> Result<Self, RedirectError> {
        let place = || piece(location);
        let invalid = |error| RedirectError::Invalid(format!("redirect to {}, which is not a URL: {error}", place()));
        let url = self.url.join(location).map_err(invalid)?;
        if url.origin() != self.url.origin() {
            let own = self.url.origin().ascii_serialization();
            return Err(RedirectError::Elsewhere(format!("redirect to {} leaves {own}", place())));
        }
        // RFC 9110, section 15.4: 301 and 302 may make a GET of a POST, of nothing else.
        let keeps_method = match status {
            307 | 308 => true,
            301 | 302 => self.method != "POST",
            _ => matches!(self.method.as_str(), "GET" | "HEAD"),
        };
        if keeps_method {
            return Ok(Self { url, ..self.clone() });
        }
        let is_of_body = |name: &str| name.to_ascii_lowercase().starts_with("content-");
        let headers = self.headers.iter().filter(|(name, _)| !is_of_body(name)).cloned().collect();
        Ok(Self { url, method: "GET".to_owned(), headers, body: Vec::new() })
    }

    /// Its bytes. `Host`, `User-Agent`, `Accept`, and where there is a body `Content-Length` are set unless given;
    /// `close` asks that the connection be closed after the response. The body is sent as it is, with its length: a
    /// `Transfer-Encoding` is left out.
    pub fn encode(&self, close: bool) -> Vec<u8> {
        let given = |name: &str| self.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let query = self.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let mut text = format!("{} {}{query} HTTP/1.1\r\n", self.method, self.url.path());
        let mut line = |name: &str, value: &str| {
            [name, ": ", value, "\r\n"].iter().for_each(|part| text.push_str(part));
        };
        for (name, value) in [("Host", self.host().as_str()), ("User-Agent", USER_AGENT), ("Accept", "*/*")] {
            if !given(name) {
                line(name, value);
            }
        }
        if self.announces_length() && !given("Content-Length") {
            line("Content-Length", &self.body.len().to_string());
        }
        if close && !given("Connection") {
            line("Connection", "close");
        }
        let own = self.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("Transfer-Encoding"));
        own.for_each(|(name, value)| line(name, value));
        text.push_str("\r\n");
        [text.as_bytes(), &self.body].concat()
    }

    /// Whether a `Content-Length` belongs to it: there is a body, or a server may wait for one.
    pub(crate) fn announces_length(&self) -> bool {
        !self.body.is_empty() || matches!(self.method.as_str(), "POST" | "PUT" | "PATCH")
    }

    /// Host and port as a server knows itself by; the port is left out where it is the scheme's own.
    pub(crate) fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, headers: &[(&str, &str)], body: &[u8]) -> Request {
        Request {
            url: Url::parse("http://h:1/a?b=c").unwrap(),
            method: method.to_owned(),
            headers: headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            body: body.to_vec(),
        }
    }

    fn text(method: &str, headers: &[(&str, &str)], close: bool, body: &[u8]) -> String {
        String::from_utf8(request(method, headers, body).encode(close)).unwrap()
    }

    #[test]
    fn a_get_has_the_default_headers() {
        let expected = format!("GET /a?b=c HTTP/1.1\r\nHost: h:1\r\nUser-Agent: {USER_AGENT}\r\nAccept: */*\r\n\r\n");
        assert_eq!(text("GET", &[], false, b""), expected);
    }

    #[test]
    fn given_headers_replace_defaults_and_a_body_gets_its_length() {
        let sent = text("POST", &[("host", "x"), ("ACCEPT", "a/b"), ("User-Agent", "me")], true, b"12345");
        let head = "POST /a?b=c HTTP/1.1\r\nContent-Length: 5\r\nConnection: close\r\n";
        assert_eq!(sent, format!("{head}host: x\r\nACCEPT: a/b\r\nUser-Agent: me\r\n\r\n12345"));
        assert!(text("POST", &[], false, b"").contains("Content-Length: 0\r\n"));
        let sent = text("POST", &[("transfer-encoding", "chunked")], false, b"12345");
        assert!(sent.contains("Content-Length: 5\r\n") && !sent.contains("chunked"), "{sent}");
    }

    #[test]
    fn a_redirect_keeps_or_drops_the_method_and_stays_with_its_host() {
        let post = request("POST", &[("Content-Type", "a"), ("X", "y")], b"1");
        let moved = post.redirected(308, "../z").unwrap();
        assert_eq!((moved.url.as_str(), moved.method.as_str(), moved.body.len()), ("http://h:1/z", "POST", 1));
        let seen = post.redirected(303, "http://h:1/q?x").unwrap();
        assert_eq!((seen.url.path(), seen.method.as_str(), seen.body.len(), seen.headers.len()), ("/q", "GET", 0, 1));
        for (method, after) in [("POST", "GET"), ("PUT", "PUT"), ("DELETE", "DELETE"), ("HEAD", "HEAD")] {
            assert_eq!(request(method, &[], b"").redirected(302, "/z").unwrap().method, after);
        }
        let Err(RedirectError::Elsewhere(words)) = post.redirected(302, "http://h:2/") else { panic!() };
        assert_eq!(words, "redirect to `http://h:2/` leaves http://h:1");
        let Err(RedirectError::Invalid(words)) = post.redirected(302, "http://[") else { panic!() };
        assert!(words.starts_with("redirect to `http://[`, which is not a URL"), "{words}");
        plimsoll_secrets::learn(["secret-of-a-redirect".to_owned()]);
        let far = format!("http://other/{}/secret-of-a-redirect", "x".repeat(57));
        let Err(RedirectError::Elsewhere(words)) = post.redirected(302, &far) else { panic!() };
        assert!(words.contains("x/(masked)` leaves"), "masked before it is cut: {words}");
        let long = format!("http://other/{}", "x".repeat(60_000));
        assert!(matches!(post.redirected(302, &long), Err(RedirectError::Elsewhere(words)) if words.len() < 200));
    }
}
