//! What stands for `{name}` in the texts of a variant: its command, environment, properties and URLs.

use std::{collections::BTreeMap, fmt::Display};

/// Values by name. `{host}` and `{port}` are where the target is reached by who uses the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placeholders(BTreeMap<&'static str, String>);

impl Placeholders {
    /// For a target at `host` and `port`.
    pub fn of_target(host: impl Display, port: u16) -> Self {
        Self::default().with("host", host).with("port", port)
    }

    /// Something for every name there is: to check texts before anything runs.
    pub fn samples() -> Self {
        Self::of_target("127.0.0.1", 8_080)
    }

    /// `value` for `{name}`.
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.0.insert(name, value.to_string());
        self
    }

    /// `template` with its placeholders replaced. What is no placeholder stays as it is, and so does `{{…}}`, which is
    /// filled in when requests are made.
    pub fn fill(&self, template: &str) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some(start) = rest.find('{') {
            let (before, from) = rest.split_at(start);
            let (text, after) = self.first(from);
            filled.push_str(before);
            filled.push_str(text);
            rest = after;
        }
        filled + rest
    }

    /// What the brace at the start of `from` stands for, and what follows it.
    fn first<'a>(&'a self, from: &'a str) -> (&'a str, &'a str) {
        if from.starts_with("{{") {
            return from.split_at(from.find("}}").map_or(2, |end| end + 2));
        }
        let value = from[1..].split_once('}').and_then(|(name, after)| Some((self.0.get(name)?.as_str(), after)));
        value.unwrap_or_else(|| from.split_at(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_placeholders_are_replaced() {
        let placeholders = Placeholders::of_target("198.18.0.2", 8_080).with("upstream", "http://{port}");
        let filled = |text: &str| placeholders.fill(text);
        assert_eq!(filled("http://{host}:{port}/{id}?to={upstream}"), "http://198.18.0.2:8080/{id}?to=http://{port}");
        assert_eq!(filled("{{port}}:{port}"), "{{port}}:8080");
        for text in ["", "{", "}", "{{", "{port", "a}{b", "{}", "{{port", "ü{ß}"] {
            assert_eq!(filled(text), text);
        }
    }
}
