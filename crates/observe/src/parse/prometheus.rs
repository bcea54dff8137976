//! A page in Prometheus' text format (version 0.0.4), as far as chosen series of it are concerned.

/// Series of a page: all of one name that have these labels, whatever others they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    name: String,
    labels: Vec<(String, String)>,
}

impl Selector {
    /// Reads `name` or `name{label="value", …}`.
    ///
    /// # Errors
    ///
    /// Message explaining what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, rest) = split_name(text).ok_or_else(|| expected(text))?;
        let (labels, rest) =
            if rest.is_empty() { (Vec::new(), rest) } else { labels(rest).ok_or_else(|| expected(text))? };
        if !rest.trim().is_empty() {
            return Err(expected(text));
        }
        Ok(Self { text: text.to_owned(), name: name.to_owned(), labels })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn selects(&self, name: &str, found: &[(String, String)]) -> bool {
        self.name == name && self.labels.iter().all(|label| found.contains(label))
    }
}

fn expected(text: &str) -> String {
    format!(
        "expected a series such as `jvm_threads_live_threads` or `http_requests_total{{uri=\"/call\"}}`, found `{text}`"
    )
}

/// The sum over its series for each selector; none where the page has no such series, or a value is no finite number.
pub fn values(page: &str, selectors: &[Selector]) -> Vec<Option<f64>> {
    let mut sums = vec![None; selectors.len()];
    for line in page.lines() {
        let Some((name, rest)) = split_name(line) else { continue };
        let wanted = selectors.iter().any(|selector| selector.name == name);
        let Some((labels, value)) = wanted.then(|| series(rest)).flatten() else { continue };
        for (sum, selector) in sums.iter_mut().zip(selectors) {
            if selector.selects(name, &labels) {
                *sum = Some(sum.unwrap_or(0.0) + value);
            }
        }
    }
    sums.into_iter().map(|sum| sum.filter(|sum| sum.is_finite())).collect()
}

/// Labels, and the value before the time stamp, if there is one.
fn series(rest: &str) -> Option<(Vec<(String, String)>, f64)> {
    let (labels, rest) = if rest.starts_with('{') { labels(rest)? } else { (Vec::new(), rest) };
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some((labels, value))
}

/// A comment has no name.
fn split_name(line: &str) -> Option<(&str, &str)> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let end = line.find(|c| !is_of_name(c)).unwrap_or(line.len());
    let begins_well = line.starts_with(|c: char| is_of_name(c) && !c.is_ascii_digit());
    begins_well.then(|| line.split_at(end))
}

/// Text within the braces at the start, and the rest.
pub(super) fn labels(text: &str) -> Option<(Vec<(String, String)>, &str)> {
    let mut labels = Vec::new();
    let mut rest = text.strip_prefix('{')?.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (name, after) = split_name(rest)?;
        let (value, after) = quoted(after.trim_start().strip_prefix('=')?.trim_start())?;
        labels.push((name.to_owned(), value));
        rest = after.trim_start();
        rest = rest.strip_prefix(',').map_or(rest, str::trim_start);
    }
}

/// A value in quotes, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &inside[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "\
# HELP gateway_pool_leased Connections in use
# TYPE gateway_pool_leased gauge
gateway_pool_leased{client=\"hc5\",} 100.0
gateway_pool_leased_seconds 9
http_requests_total{uri=\"/call\",status=\"200\"} 1.5E3 1395066363000
http_requests_total{ uri = \"/call\" , status=\"502\"} 3
http_requests_total{uri=\"/a\\\"b\\\\c}\\n\",status=\"200\"} 7
up 1
broken{ 5
limitless +Inf
nothing NaN
";

    fn read(selectors: &[&str]) -> Vec<Option<f64>> {
        values(PAGE, &selectors.iter().map(|text| Selector::parse(text).unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn series_are_found_by_name_and_labels_and_summed() {
        assert_eq!(read(&["gateway_pool_leased", "up"]), [Some(100.0), Some(1.0)]);
        assert_eq!(read(&["http_requests_total"]), [Some(1_510.0)], "all that have the name");
        assert_eq!(read(&["http_requests_total{uri=\"/call\"}"]), [Some(1_503.0)]);
        assert_eq!(read(&["http_requests_total{status=\"502\",uri=\"/call\"}"]), [Some(3.0)]);
        assert_eq!(read(&["http_requests_total{uri=\"/a\\\"b\\\\c}\\n\"}"]), [Some(7.0)]);
    }

    #[test]
    fn what_is_not_there_or_no_number_is_none() {
        assert_eq!(read(&["down", "up{a=\"b\"}", "limitless", "nothing", "broken"]), [None; 5]);
        assert_eq!(values("", &[]), []);
    }

    #[test]
    fn selectors_that_cannot_be_read_are_told() {
        for text in ["", "5x", "a b", "a{", "a{b}", "a{b=c}", "a{b=\"c\"", "a{b=\"c\"} 5", "{a=\"b\"}"] {
            let told = Selector::parse(text).unwrap_err();
            assert!(told.ends_with(&format!("found `{text}`")), "{told}");
        }
        assert_eq!(Selector::parse("a:b_c{}").unwrap().text(), "a:b_c{}");
    }

    proptest! {
        #[test]
        fn no_page_and_no_selector_make_it_panic(page in "[a-z{}=\",\\\\ 0-9.\n#]{0,120}", text in "[a-z{}=\",\\\\ ]{0,20}") {
            if let Ok(selector) = Selector::parse(&text) {
                let _ = values(&page, &[selector]);
            }
        }
    }
}
