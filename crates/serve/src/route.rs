//! Routes from the path of a URL to a page. No path leads to a file: records are looked up by their keys.

use percent_encoding::percent_decode_str;

/// First segment of the paths of assets: no key of a record begins like this.
const ASSETS: &str = "-";

/// A page, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// All executions.
    List,
    /// Two executions side by side.
    Compare,
    /// The report of an execution.
    Report(Place),
    /// A live run.
    Live(Place),
    /// The part of the live page that moves.
    Now(Place),
    /// A style sheet or a script.
    Asset(String),
}

/// An execution: the key of its record, and its number there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Key of the record.
    pub key: String,
    /// Number of the execution.
    pub id: i64,
}

impl Route {
    /// The route of a request's path; none if there is no such page.
    pub fn of(path: &str) -> Option<Self> {
        let segments: Option<Vec<String>> = path.strip_prefix('/')?.split('/').map(decoded).collect();
        let segments = segments?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match segments.as_slice() {
            [""] => Some(Self::List),
            ["compare"] => Some(Self::Compare),
            [ASSETS, name] => Some(Self::Asset((*name).to_owned())),
            [key, id] => Place::new(key, id).map(Self::Report),
            [key, id, "live"] => Place::new(key, id).map(Self::Live),
            [key, id, "live", "now"] => Place::new(key, id).map(Self::Now),
            _ => None,
        }
    }
}

fn decoded(segment: &str) -> Option<String> {
    percent_decode_str(segment).decode_utf8().ok().map(Into::into)
}

impl Place {
    fn new(key: &str, id: &str) -> Option<Self> {
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let is_number = id.chars().all(|c| c.is_ascii_digit());
        (is_key && key != ASSETS && is_number).then_some(())?;
        Some(Self { key: key.to_owned(), id: id.parse().ok()? })
    }

    /// Reads a place as written in URLs: `shop/12`.
    pub fn parse(text: &str) -> Option<Self> {
        let (key, id) = text.split_once('/')?;
        Self::new(key, id)
    }

    /// Path of its report.
    pub fn report(&self) -> String {
        format!("/{self}")
    }

    /// Path of its live page.
    pub fn live(&self) -> String {
        format!("/{self}/live")
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.key, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_its_path() {
        let place = || Place { key: "shop-2".to_owned(), id: 12 };
        let expected = [
            ("/", Route::List),
            ("/compare", Route::Compare),
            ("/shop-2/12", Route::Report(place())),
            ("/shop%2D2/12", Route::Report(place())),
            ("/shop-2/12/live", Route::Live(place())),
            ("/shop-2/12/live/now", Route::Now(place())),
            ("/-/serve.css", Route::Asset("serve.css".to_owned())),
        ];
        for (path, route) in expected {
            assert_eq!(Route::of(path).as_ref(), Some(&route), "{path}");
        }
        assert_eq!(Place::parse(&place().to_string()), Some(place()));
    }

    #[test]
    fn whatever_else_a_path_says_it_leads_nowhere() {
        for path in [
            "",
            "*",
            "//",
            "/..",
            "/../",
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/..%2f..%2fetc%2fpasswd/1",
            "/shop/../1",
            "/shop/-1",
            "/shop/+1",
            "/shop/1.0",
            "/shop/",
            "/shop/1/",
            "/shop/1/live/",
            "/Shop/1",
            "/%00/1",
            "/%ff/1",
            "/shop/99999999999999999999",
            "/.plimsoll/plimsoll.db",
            "/-/../serve.css",
            "/shop/1/live/now/x",
        ] {
            assert_eq!(Route::of(path), None, "{path}");
        }
    }
}
