//! The cookies of one virtual user (RFC 6265). All requests go to one origin, so of the attributes `Domain` only says
//! whether the cookie is for that origin at all.

use cookie::Cookie;
use plimsoll_record::Nanos;
use url::Url;

/// More than this from one target is not meant to be kept (RFC 6265, section 6.1, has browsers keep at least 50).
const COOKIES_MAX: usize = 180;

/// Bytes of a name with its value; longer cookies are ignored, and attributes, too, as by RFC 6265bis (section 5.6).
const COOKIE_BYTES_MAX: usize = 4_096;
const ATTRIBUTE_BYTES_MAX: usize = 1_024;

/// Cookies of a virtual user.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jar {
    cookies: Vec<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
    /// Unix time.
    expires: Option<Nanos>,
}

impl Jar {
    /// Takes a `Set-Cookie` of the response to a request of `url`. One that is not for this origin, or that cannot be
    /// read, is left alone, as browsers do.
    pub fn store(&mut self, set_cookie: &str, url: &Url, unix: Nanos) {
        let Ok(cookie) = Cookie::parse(set_cookie) else { return };
        if cookie.name().len() + cookie.value().len() > COOKIE_BYTES_MAX {
            return;
        }
        let host = url.host_str().unwrap_or_default();
        if cookie.domain().is_some_and(|domain| !is_within(host, domain)) {
            return;
        }
        let is_path = |path: &&str| path.starts_with('/') && path.len() <= ATTRIBUTE_BYTES_MAX;
        let path = cookie.path().filter(is_path).unwrap_or_else(|| default_path(url.path()));
        let kept = Kept {
            name: cookie.name().to_owned(),
            value: cookie.value().to_owned(),
            path: path.to_owned(),
            is_secure: cookie.secure() == Some(true),
            expires: expires(&cookie, unix),
        };
        self.cookies.retain(|other| (&other.name, &other.path) != (&kept.name, &kept.path));
        let is_current = |it: &Kept| it.expires.is_none_or(|at| at > unix);
        if !is_current(&kept) {
            return;
        }
        // Cookies that have expired make room, then the oldest (RFC 6265, section 5.3).
        if self.cookies.len() >= COOKIES_MAX {
            self.cookies.retain(is_current);
        }
        if self.cookies.len() >= COOKIES_MAX {
            self.cookies.remove(0);
        }
        self.cookies.push(kept);
    }

    /// The value of the header for a request of `url`, cookies of longer paths first; none if there is none to send.
    pub fn header(&self, url: &Url, unix: Nanos) -> Option<String> {
        let is_sent = |cookie: &&Kept| {
            cookie.expires.is_none_or(|at| at > unix)
                && path_matches(url.path(), &cookie.path)
                && (!cookie.is_secure || url.scheme() == "https")
        };
        let mut sent: Vec<&Kept> = self.cookies.iter().filter(is_sent).collect();
        sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> = sent.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.cookies.clear();
    }
}

/// The value of the cookie `name` in a `Set-Cookie`, if that is what it sets.
pub(crate) fn value_of(name: &str, set_cookie: &str) -> Option<String> {
    Cookie::parse(set_cookie).ok().filter(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

/// `Max-Age` wins over `Expires` (RFC 6265, section 5.3).
fn expires(cookie: &Cookie<'_>, unix: Nanos) -> Option<Nanos> {
    if let Some(age) = cookie.max_age() {
        return Some(unix + Nanos::from_secs(u64::try_from(age.whole_seconds()).unwrap_or(0)));
    }
    let at = cookie.expires_datetime()?.unix_timestamp();
    Some(Nanos::from_secs(u64::try_from(at).unwrap_or(0)))
}

/// RFC 6265, section 5.1.3; `cookie` has taken off a leading dot.
fn is_within(host: &str, domain: &str) -> bool {
    let (host, domain) = (host.to_ascii_lowercase(), domain.trim_start_matches('.').to_ascii_lowercase());
    let is_address = host.starts_with('[') || host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    host == domain || (!is_address && host.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.')))
}

/// RFC 6265, section 5.1.4.
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(last) => &path[..last],
    }
}

/// RFC 6265, section 5.1.4.
fn path_matches(path: &str, of_cookie: &str) -> bool {
    path.strip_prefix(of_cookie)
        .is_some_and(|rest| rest.is_empty() || of_cookie.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Nanos = Nanos::from_secs(1_700_000_000);

    /// Cookies sent to `to` after these were set by `from`.
    fn sent(set: &[&str], from: &str, to: &str, later_s: u64) -> Option<String> {
        let mut jar = Jar::default();
        let from: Url = from.parse().unwrap();
        set.iter().for_each(|cookie| jar.store(cookie, &from, NOW));
        jar.header(&to.parse().unwrap(), NOW + Nanos::from_secs(later_s))
    }

    fn at_root(set: &[&str]) -> Option<String> {
        sent(set, "http://h.example/", "http://h.example/x", 0)
    }

    #[test]
    fn cookies_come_back_and_the_newest_of_a_name_wins() {
        assert_eq!(at_root(&["a=1; HttpOnly", "b=2; SameSite=Lax", "a=3"]).as_deref(), Some("b=2; a=3"));
        assert_eq!(at_root(&["not a cookie", "=x"]), None);
    }

    #[test]
    fn a_cookie_is_for_its_path_and_what_is_below() {
        let set = ["deep=1; Path=/a/b", "top=2; Path=/", "default=3"];
        let to = |path: &str| sent(&set, "http://h/a/b/c", &format!("http://h{path}"), 0);
        assert_eq!(to("/a/b/x").as_deref(), Some("deep=1; default=3; top=2"));
        assert_eq!(to("/a/bc").as_deref(), Some("top=2"));
    }

    #[test]
    fn cookies_and_attributes_that_are_too_long_are_ignored() {
        let of_bytes = |bytes: usize| format!("a={}", "x".repeat(bytes - 1));
        assert!(at_root(&[&of_bytes(COOKIE_BYTES_MAX)]).is_some());
        assert_eq!(at_root(&[&of_bytes(COOKIE_BYTES_MAX + 1)]), None);
        let path = |bytes: usize| format!("a=1; Path=/{}", "x".repeat(bytes - 1));
        assert_eq!(at_root(&[&path(ATTRIBUTE_BYTES_MAX)]), None, "it is for another path");
        assert_eq!(at_root(&[&path(ATTRIBUTE_BYTES_MAX + 1)]).as_deref(), Some("a=1"), "it is as if it had none");
    }

    #[test]
    fn cookies_of_other_domains_are_not_kept() {
        assert_eq!(at_root(&["a=1; Domain=example", "b=2; Domain=.h.example"]).as_deref(), Some("a=1; b=2"));
        assert_eq!(at_root(&["a=1; Domain=other.example", "b=2; Domain=x.h.example", "c=3; Domain=xample"]), None);
        assert_eq!(sent(&["a=1; Domain=0.1"], "http://127.0.0.1/", "http://127.0.0.1/", 0), None);
    }

    #[test]
    fn cookies_end() {
        let set = [
            "a=1; Max-Age=10",
            "b=2; Expires=Tue, 14 Nov 2023 22:13:40 GMT",
            "c=3; Max-Age=60; Expires=Tue, 14 Nov 2000 00:00:00 GMT",
        ];
        let later = |seconds| sent(&set, "http://h/", "http://h/", seconds);
        assert_eq!(later(5).as_deref(), Some("a=1; b=2; c=3"));
        assert_eq!(later(15).as_deref(), Some("b=2; c=3"));
        assert_eq!(later(25).as_deref(), Some("c=3"));
        assert_eq!(at_root(&["a=1", "a=; Max-Age=0"]), None);
    }

    #[test]
    fn secure_cookies_are_not_sent_in_the_clear() {
        let to = |url| sent(&["a=1; Secure"], "https://h/", url, 0);
        assert_eq!((to("http://h/"), to("https://h/").as_deref()), (None, Some("a=1")));
    }
}
