//! The choice of executions in the query of a URL.

use plimsoll_report::Outcome;
use url::form_urlencoded::{Serializer, parse};

use crate::{kind::Kind, route::Place, shelf::Row};

/// Characters of a search that count.
const TEXT_MOST: usize = 200;

/// A choice of executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Words that must all occur.
    pub text: String,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only with this verdict.
    pub outcome: Option<Outcome>,
    /// Only of the record with this key.
    pub record: Option<String>,
    /// Number of the page, from 1.
    pub page: usize,
    /// The execution that is ticked to be compared.
    pub ticked: Option<Place>,
}

impl Wanted {
    /// The choice that a query makes; invalid parts are ignored.
    pub fn of(query: &str) -> Self {
        let mut wanted = Self { page: 1, ..Self::default() };
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                "q" => wanted.text = value.chars().take(TEXT_MOST).collect(),
                "kind" => wanted.kind = Kind::ALL.into_iter().find(|kind| kind.word() == value),
                "verdict" => wanted.outcome = Outcome::ALL.into_iter().find(|outcome| outcome.word() == value),
                "record" => wanted.record = Some(value.into_owned()).filter(|key| !key.is_empty()),
                "page" => wanted.page = value.parse().unwrap_or(1),
                "a" => wanted.ticked = Place::parse(&value),
                _ => {}
            }
        }
        wanted
    }

    /// The same on another page, as a link.
    pub fn at_page(&self, page: usize) -> String {
        let mut query = Serializer::new(String::new());
        if !self.text.is_empty() {
            query.append_pair("q", &self.text);
        }
        let kind = self.kind.map(|kind| ("kind", kind.word()));
        let outcome = self.outcome.map(|outcome| ("verdict", outcome.word()));
        let record = self.record.as_deref().map(|key| ("record", key));
        query.extend_pairs(kind.into_iter().chain(outcome).chain(record));
        if let Some(place) = &self.ticked {
            query.append_pair("a", &place.to_string());
        }
        format!("/?{}", query.append_pair("page", &page.to_string()).finish())
    }

    /// Whether nothing is left out.
    pub fn is_everything(&self) -> bool {
        self.text.trim().is_empty() && self.kind.is_none() && self.outcome.is_none() && self.record.is_none()
    }

    /// Whether the choice depends on verdicts or figures.
    pub fn asks_digests(&self) -> bool {
        self.outcome.is_some() || !self.text.trim().is_empty()
    }

    /// Whether an execution is wanted.
    pub fn matches(&self, row: &Row) -> bool {
        let of_record = self.record.as_ref().is_none_or(|key| *key == row.place.key);
        let of_kind = self.kind.is_none_or(|kind| row.facts.as_ref().is_ok_and(|facts| facts.kind == kind));
        let digest = row.digest.as_deref().and_then(|digest| digest.as_ref().ok());
        let of_outcome = self.outcome.is_none_or(|outcome| digest.is_some_and(|digest| digest.outcome == outcome));
        of_record && of_kind && of_outcome && (self.text.trim().is_empty() || self.is_in(&text_of(row)))
    }

    fn is_in(&self, text: &str) -> bool {
        self.text.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// Everything of a row that can be searched, in small letters.
fn text_of(row: &Row) -> String {
    let mut parts = vec![
        format!("#{}", row.place),
        format!("#{}", row.place.id),
        row.state.word().to_owned(),
        row.record.label.clone(),
    ];
    match &row.facts {
        Ok(facts) => {
            let commit = facts.commit.iter().map(String::as_str);
            let own = [&facts.name, &facts.title, &facts.command].map(String::as_str);
            parts.extend(own.into_iter().chain([facts.kind.word()]).chain(commit).map(str::to_owned));
            parts.extend(facts.started.map(|at| at.to_string()));
        }
        Err(why) => parts.push(why.clone()),
    }
    if let Some(Ok(digest)) = row.digest.as_deref() {
        parts.extend([digest.figures.clone(), digest.judged.clone(), digest.outcome.word().to_owned()]);
    }
    parts.join("\n").to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plimsoll_report::Digest;

    use super::*;
    use crate::{kind::State, records::Record, shelf::Facts};

    fn row(name: &str, outcome: Option<Outcome>) -> Row {
        let record = Record { key: "shop".to_owned(), path: "shop.db".into(), label: "shop.db".to_owned() };
        let facts = Facts {
            name: name.to_owned(),
            title: String::new(),
            kind: Kind::Load,
            command: "plimsoll load http://localhost/".to_owned(),
            commit: Some("abc123".to_owned()),
            started: None,
            ended: None,
            kept: None,
        };
        let digest = |outcome| Digest { outcome, judged: String::new(), figures: "1,234/s".to_owned(), warnings: 0 };
        Row {
            record: Arc::new(record),
            place: Place { key: "shop".to_owned(), id: 7 },
            state: State::Done,
            facts: Ok(Arc::new(facts)),
            digest: outcome.map(|outcome| Arc::new(Ok(digest(outcome)))),
        }
    }

    #[test]
    fn every_word_of_a_search_must_occur_somewhere() {
        let row = row("Greetings", Some(Outcome::Holds));
        for query in [
            "",
            "q=",
            "q=greet",
            "q=GREET+abc1",
            "q=1%2C234",
            "q=%23shop%2F7",
            "kind=load",
            "verdict=holds",
            "record=shop",
            "kind=",
            "kind=nonsense",
            "page=x",
            "unknown=1",
        ] {
            assert!(Wanted::of(query).matches(&row), "{query}");
        }
        for query in ["q=greet+no", "kind=line", "verdict=fails", "record=other", "q=%3Cscript%3E"] {
            assert!(!Wanted::of(query).matches(&row), "{query}");
        }
    }

    #[test]
    fn a_verdict_that_is_not_known_yet_is_none() {
        let row = row("a", None);
        assert!(Wanted::of("").matches(&row));
        assert!(!Wanted::of("verdict=unjudged").matches(&row));
    }

    #[test]
    fn a_link_to_a_page_keeps_the_search() {
        let query = "q=a+%26%22%3Cb&kind=load&verdict=fails&record=shop&a=shop%2F7&page=3";
        assert_eq!(Wanted::of(query).at_page(3), format!("/?{query}"));
        assert_eq!(Wanted::of("").at_page(2), "/?page=2");
    }
}
