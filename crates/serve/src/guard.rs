//! Refusal of requests, and the security headers of every answer.

use hyper::{
    HeaderMap, Method, Request, StatusCode,
    header::{self, HeaderName, HeaderValue},
};

/// Policy of our own pages: nothing inline, nothing from elsewhere, in nobody's frame.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Names of this machine for itself.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
const HTTP_PORT: u16 = 80;

/// The status and reason with which a request is refused; none if it is answered.
pub fn refusal<T>(request: &Request<T>, port: u16) -> Option<(StatusCode, String)> {
    if !is_own_host(request, port) {
        let why = format!("open http://127.0.0.1:{port}/: this server answers under names of this machine alone\n");
        return Some((StatusCode::FORBIDDEN, why));
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD: nothing can be changed here\n".to_owned()));
    }
    None
}

/// Whether `Host` names this server. A page from elsewhere whose name was made to resolve to this machine (DNS
/// rebinding) has its own name there.
fn is_own_host<T>(request: &Request<T>, port: u16) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let is_own = |host: &str| {
        let (name, its_port) = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
            _ => (host, Some(HTTP_PORT)),
        };
        OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(name)) && its_port == Some(port)
    };
    let target = request.uri().authority();
    host.to_str().is_ok_and(is_own) && target.is_none_or(|target| is_own(target.as_str()))
}

/// Headers of every answer; `policy` is its content security policy.
pub fn protect(headers: &mut HeaderMap, policy: &HeaderValue) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, uri: &str, hosts: &[&str]) -> Option<StatusCode> {
        let mut request = Request::builder().method(method).uri(uri);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        refusal(&request.body(()).unwrap(), 7475).map(|(status, _)| status)
    }

    #[test]
    fn names_of_this_machine_with_the_port_are_answered() {
        for host in ["127.0.0.1:7475", "localhost:7475", "LOCALHOST:7475", "[::1]:7475"] {
            assert_eq!(asked("GET", "/", &[host]), None, "{host}");
        }
        assert_eq!(asked("HEAD", "http://localhost:7475/", &["localhost:7475"]), None);
    }

    #[test]
    fn other_names_are_refused() {
        let others = [
            "evil.example:7475",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:7476",
            "localhost.evil.example:7475",
            "127.0.0.1:7475:7475",
            "127.0.0.1:7475@evil.example",
            "[::1]",
            "127.0.0.2:7475",
            "",
            ":7475",
            "127.0.0.1:",
            "0.0.0.0:7475",
            "localhost.:7475",
            "127.0.0.1:07475x",
        ];
        for host in others {
            assert_eq!(asked("GET", "/", &[host]), Some(StatusCode::FORBIDDEN), "{host}");
        }
        assert_eq!(asked("GET", "/", &[]), Some(StatusCode::FORBIDDEN), "no Host");
        let twice = ["127.0.0.1:7475", "evil.example"];
        assert_eq!(asked("GET", "/", &twice), Some(StatusCode::FORBIDDEN), "two of them");
        let absolute = asked("GET", "http://evil.example/", &["127.0.0.1:7475"]);
        assert_eq!(absolute, Some(StatusCode::FORBIDDEN), "the target has another name");
    }

    #[test]
    fn only_reading_is_answered() {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"] {
            assert_eq!(asked(method, "/", &["localhost:7475"]), Some(StatusCode::METHOD_NOT_ALLOWED), "{method}");
        }
    }
}
