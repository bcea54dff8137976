//! Values of `{name}` in the texts of a variant: its command, environment, properties and URLs.

use std::{borrow::Cow, collections::BTreeMap, fmt::Display};

use plimsoll_record::UpstreamReady;

/// Names that an upstream adds, and requests know as well.
pub const UPSTREAM_CONSTANTS: [&str; 3] = ["upstream", "upstream-host", "upstream-port"];
/// Names that it adds with TLS.
pub const UPSTREAM_CA: &str = "upstream-ca";
/// Names that it adds with mutual TLS.
pub const UPSTREAM_CLIENT: [&str; 2] = ["upstream-client-cert", "upstream-client-key"];

/// Values by name. `{host}` and `{port}` are the target's address as seen from where the text is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placeholders(BTreeMap<Cow<'static, str>, String>);

impl Placeholders {
    /// Values for a target at `host` and `port`.
    pub fn of_target(host: impl Display, port: u16) -> Self {
        Self::default().with("host", host).with("port", port)
    }

    /// A sample value for every name: to check texts before anything runs.
    pub fn samples() -> Self {
        let file = Some("/file".to_owned());
        Self::of_target("127.0.0.1", 8_080).with_upstream(&UpstreamReady {
            url: "http://127.0.0.1:9000".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: 9_000,
            ca: file.clone(),
            client_cert: file.clone(),
            client_key: file,
        })
    }

    /// The text of a URL with a sample value for every name, ports of services among them.
    pub fn as_sample(template: &str) -> String {
        let mut filled = Self::samples().fill(template);
        while let Some(end) = filled.find("-port}") {
            let Some(start) = filled[..end].rfind('{') else { break };
            filled.replace_range(start..end + "-port}".len(), "8080");
        }
        filled
    }

    /// Adds the values of an upstream.
    pub fn with_upstream(self, ready: &UpstreamReady) -> Self {
        let [url, host, port] = UPSTREAM_CONSTANTS;
        let [cert, key] = UPSTREAM_CLIENT;
        let all = self.with(url, &ready.url).with(host, &ready.host).with(port, ready.port);
        let files = [(UPSTREAM_CA, &ready.ca), (cert, &ready.client_cert), (key, &ready.client_key)];
        files.into_iter().fold(all, |all, (name, file)| match file {
            Some(file) => all.with(name, file),
            None => all,
        })
    }

    /// Names that requests know as well.
    pub fn constants(&self) -> impl Iterator<Item = (String, String)> {
        let constant = |name: &str| Some((name.to_owned(), self.0.get(name)?.clone()));
        UPSTREAM_CONSTANTS.into_iter().filter_map(constant)
    }

    /// Adds `value` for `{name}`.
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Display) -> Self {
        self.0.insert(name.into(), value.to_string());
        self
    }

    /// `template` with its placeholders replaced. Other text stays as it is, and so does `{{…}}`, which is
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

    /// The value of the placeholder at the start of `from`, and the text that follows it.
    fn first<'a>(&'a self, from: &'a str) -> (&'a str, &'a str) {
        if from.starts_with("{{") {
            return from.split_at(from.find("}}").map_or(2, |end| end + 2));
        }
        let value = from[1..].split_once('}').and_then(|(name, after)| Some((self.0.get(name)?.as_str(), after)));
        value.unwrap_or_else(|| from.split_at(1))
    }
}

/// Names in single braces in `template` that begin as the names of an upstream's values do.
pub fn upstream_names(template: &str) -> Vec<&str> {
    let after_brace = template.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let single = after_brace.filter(|(_, after)| !after.starts_with('}')).map(|(name, _)| name);
    single.filter(|name| name.split('-').next() == Some(UPSTREAM_CONSTANTS[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upstream_has_its_names() {
        let sample = Placeholders::as_sample("http://{host}:{web-port}/{a-port-b}");
        assert_eq!(sample, "http://127.0.0.1:8080/{a-port-b}");
        let samples = Placeholders::samples();
        let text =
            "{upstream}/x {upstream-host} {upstream-port} {upstream-ca} {upstream-client-cert} {upstream-client-key}";
        assert_eq!(samples.fill(text), "http://127.0.0.1:9000/x 127.0.0.1 9000 /file /file /file");
        assert_eq!(samples.constants().count(), 3);
        let names = upstream_names("--a={upstream}/ {port} {upstream-ca} {{upstream}} {upstreams} {upstream");
        assert_eq!(names, ["upstream", "upstream-ca"]);
    }

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
