//! The chain of what a request passes, in words.

use plimsoll_analysis::results::Link;
use plimsoll_text::number::{in_full, time};

/// A space at which a line does not break.
const TIED: &str = "\u{a0}";
/// Links that are longer, in characters, may break between words.
const LONGEST_TIED: usize = 40;
/// Fewer requests count as none.
const LEAST: f64 = 0.5;

/// `listen queue 0 → Tomcat’s threads 198/400 → connection pool 100/100 ▸299 wait, the limit → upstream 252 ms`; none
/// for a single link.
pub fn line(chain: &[Link]) -> Option<String> {
    let links = chain.iter().map(short).collect::<Vec<_>>();
    (links.len() > 1).then(|| links.join(&format!(" →{TIED}")))
}

fn short(link: &Link) -> String {
    let figures = match (link.takes_ms, link.busy, link.size) {
        (Some(ms), ..) => format!("{TIED}{}", time(ms).replace(' ', TIED)),
        (_, Some(busy), _) if link.kind == "listen-queue" && busy < LEAST => format!("{TIED}0"),
        (_, Some(busy), Some(size)) => format!("{TIED}{}/{}", amount(busy), amount(size)),
        (_, Some(busy), None) => format!("{TIED}{}", amount(busy)),
        (_, None, _) => String::new(),
    };
    let waiting = waiting(link).map_or_else(String::new, |count| format!("{TIED}▸{count}{TIED}wait"));
    let limit = if link.is_limit { format!(",{TIED}the{TIED}limit") } else { String::new() };
    let is_short = link.name.chars().count() + figures.chars().count() + waiting.chars().count() <= LONGEST_TIED;
    let name = if is_short { link.name.replace(' ', TIED) } else { link.name.clone() };
    format!("{name}{figures}{waiting}{limit}")
}

/// The number of requests that wait for a link; none if there are none.
pub fn waiting(link: &Link) -> Option<String> {
    (link.waiting >= LEAST).then(|| in_full(link.waiting.round().max(1.0), 3))
}

/// `20 of 20 busy`; empty where nothing was seen.
pub fn figures(link: &Link) -> String {
    let Some(busy) = link.busy else { return String::new() };
    let of = link.size.map_or_else(String::new, |size| format!(" of {}", amount(size)));
    let what = match link.kind {
        "listen-queue" => "places",
        "accept-limit" => "open",
        "cpu" => "cores",
        "upstream" | "database" => "calls",
        "sleep" | "wait" | "dns" => "requests",
        "lock" | "semaphore" => "past it",
        _ => "busy",
    };
    let each = link.takes_ms.map_or_else(String::new, |ms| format!(", {} each", time(ms)));
    format!("{}{of} {what}{each}", amount(busy))
}

/// All that is known of a link, in a sentence.
pub fn sentence(link: &Link) -> String {
    let detail = link.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
    let waiting = waiting(link).map(|count| format!("{count} wait"));
    let limit = link.is_limit.then(|| "gives way first".to_owned());
    let figures = Some(figures(link)).filter(|figures| !figures.is_empty());
    let said = [figures, waiting, limit].into_iter().flatten().collect::<Vec<_>>().join("; ");
    if said.is_empty() { format!("{}{detail}", link.name) } else { format!("{}{detail}: {said}", link.name) }
}

/// The share of a resource that is in use. A resource behind a lasting queue is always busy.
pub fn share(link: &Link) -> Option<f64> {
    match (link.busy, link.size) {
        (Some(busy), Some(size)) if size > 0.0 => Some((busy / size).min(1.0)),
        _ => (link.is_limit && link.waiting >= LEAST).then_some(1.0),
    }
}

fn amount(value: f64) -> String {
    in_full(value, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Vec<Link> {
        let link = |kind, name: &str, busy, size| Link { kind, name: name.to_owned(), busy, size, ..Link::default() };
        let pool = link("client-pool", "connection pool", Some(99.8), Some(100.0));
        let upstream = link("upstream", "upstream", Some(99.8), None);
        vec![
            link("listen-queue", "listen queue", Some(0.0), Some(100.0)),
            link("server-threads", "Tomcat’s threads", Some(198.2), Some(400.0)),
            Link { waiting: 299.4, is_limit: true, detail: Some("Apache HttpClient 5".to_owned()), ..pool },
            Link { takes_ms: Some(252.3), ..upstream },
        ]
    }

    #[test]
    fn a_chain_is_one_line_that_breaks_before_arrows_only() {
        let line = line(&chain()).expect("a chain");
        let said = "listen queue 0 → Tomcat’s threads 198/400 → connection pool 100/100 ▸299 wait, the limit → \
                    upstream 252 ms";
        assert_eq!(line.replace(TIED, " "), said);
        assert_eq!(line.split(' ').count(), 4);
        assert_eq!(super::line(&chain()[..1]), None);
    }

    #[test]
    fn a_link_says_what_was_seen_of_it() {
        let said = "connection pool (Apache HttpClient 5): 100 of 100 busy; 299 wait; gives way first";
        assert_eq!(sentence(&chain()[2]), said);
        assert_eq!(sentence(&chain()[3]), "upstream: 100 calls, 252 ms each");
        let logging = Link { kind: "logging", name: "logging".to_owned(), ..Link::default() };
        assert_eq!(sentence(&logging), "logging");
        assert_eq!((share(&chain()[0]), share(&chain()[3]), share(&logging)), (Some(0.0), None, None));
        assert_eq!(share(&Link { waiting: 3.0, is_limit: true, ..logging }), Some(1.0));
    }
}
