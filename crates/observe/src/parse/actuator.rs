//! A meter of Spring Boot's `/actuator/metrics`, one JSON page each
//! (<https://docs.spring.io/spring-boot/api/rest/actuator/metrics.html>).

use serde::Deserialize;
use serde_json::Value;

use super::prometheus::labels;

/// One measurement of a meter, of its series that have these tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    text: String,
    name: String,
    tags: Vec<(String, String)>,
    /// Its first one, if none is named.
    statistic: Option<String>,
}

#[derive(Deserialize)]
struct Page {
    measurements: Vec<Measurement>,
}

#[derive(Deserialize)]
struct Measurement {
    statistic: String,
    /// Jackson writes numbers that are not finite as texts: `"NaN"`.
    value: Value,
}

impl Measurement {
    fn number(&self) -> Option<f64> {
        let number = self.value.as_f64().or_else(|| self.value.as_str()?.parse().ok());
        number.filter(|number| number.is_finite())
    }
}

impl Meter {
    /// Reads `name`, `name{tag="value", …}` or either with the name of a statistic behind it, as `COUNT`.
    ///
    /// # Errors
    ///
    /// Message explaining what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| {
            format!(
                "expected a meter such as `jvm.threads.live` or `http.server.requests{{uri=\"/call\"}} COUNT`, found \
                 `{text}`"
            )
        })
    }

    fn read(text: &str) -> Option<Self> {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let (name, rest) = text.split_at(text.find(|c| !is_of_name(c)).unwrap_or(text.len()));
        let (tags, rest) = if rest.starts_with('{') { labels(rest)? } else { (Vec::new(), rest) };
        let statistic = rest.strip_prefix(' ').map(str::trim);
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        let is_whole = rest.is_empty() || statistic.is_some_and(is_word);
        (name.starts_with(|c: char| c.is_ascii_alphabetic()) && is_whole).then(|| Self {
            text: text.to_owned(),
            name: name.to_owned(),
            tags,
            statistic: statistic.map(str::to_owned),
        })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The last part of its page's path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Values of `tag` in the query of its page.
    pub fn tags(&self) -> impl Iterator<Item = String> {
        self.tags.iter().map(|(name, value)| format!("{name}:{value}"))
    }

    /// The measurement, if the page has it and it is a finite number.
    ///
    /// # Errors
    ///
    /// The page is none of a meter: why.
    pub fn value(&self, page: &str) -> Result<Option<f64>, String> {
        let Page { measurements } = serde_json::from_str(page).map_err(|error| error.to_string())?;
        let is_meant = |it: &&Measurement| self.statistic.as_ref().is_none_or(|wanted| *wanted == it.statistic);
        Ok(measurements.iter().find(is_meant).and_then(Measurement::number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Spring Boot 4.1 answers, in part.
    const REQUESTS: &str = r#"{"name": "http.server.requests", "baseUnit": "seconds", "measurements":
        [{"statistic": "COUNT", "value": 12.0}, {"statistic": "TOTAL_TIME", "value": 0.25}],
        "availableTags": [{"tag": "uri", "values": ["/call"]}]}"#;

    #[test]
    fn a_measurement_is_found() {
        let value = |text: &str| Meter::parse(text).unwrap().value(REQUESTS).unwrap();
        let all =
            ["", " COUNT", " TOTAL_TIME", " MAX"].map(|statistic| value(&format!("http.server.requests{statistic}")));
        assert_eq!(all, [Some(12.0), Some(12.0), Some(0.25), None]);
        let meter = Meter::parse("http.server.requests{uri=\"/call\", status=\"200\"} COUNT").unwrap();
        assert_eq!(meter.name(), "http.server.requests");
        assert_eq!(meter.tags().collect::<Vec<_>>(), ["uri:/call", "status:200"]);
        assert_eq!(meter.value(REQUESTS), Ok(Some(12.0)));
        assert!(meter.value("<html>").is_err() && meter.value("{}").is_err());
    }

    #[test]
    fn what_is_no_finite_number_has_no_value() {
        let value = |value: &str| {
            let page = format!(r#"{{"measurements": [{{"statistic": "VALUE", "value": {value}}}]}}"#);
            Meter::parse("hit.ratio").unwrap().value(&page)
        };
        for text in [r#""NaN""#, r#""Infinity""#, r#""-Infinity""#, r#""none""#, "null"] {
            assert_eq!(value(text), Ok(None), "{text}");
        }
        assert_eq!([r#""0.5""#, "0.5", "1"].map(value), [0.5, 0.5, 1.0].map(|number| Ok(Some(number))));
    }

    #[test]
    fn meters_that_cannot_be_read_are_told() {
        for text in ["", "5x", "a b", "a{", "a{b=\"c\"}COUNT", "a/b", "a COUNT x", "a "] {
            let told = Meter::parse(text).unwrap_err();
            assert!(told.ends_with(&format!("found `{text}`")), "{told}");
        }
    }
}
