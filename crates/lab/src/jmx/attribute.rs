//! A series of JMX: an attribute of the MBeans that a name stands for.

/// `DOMAIN:KEY=VALUE,…/ATTRIBUTE[.KEY]`; of a name with wildcards the sum over all that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute(String);

impl Attribute {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// Message explaining what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = |what: &str| {
            format!(
                "expected {what} such as `java.lang:type=Threading/ThreadCount` or \
                 `java.lang:type=Memory/HeapMemoryUsage.used`, found `{text}`"
            )
        };
        // Values of a name may have slashes; names of attributes have none.
        let (name, attribute) = text.rsplit_once('/').ok_or_else(|| expected("an MBean, `/` and its attribute,"))?;
        let (domain, keys) = name.split_once(':').ok_or_else(|| expected("an MBean with `DOMAIN:`,"))?;
        let is_key = |key: &str| key == "*" || key.split_once('=').is_some_and(|(key, _)| !key.is_empty());
        if domain.is_empty() || !keys.split(',').all(is_key) {
            return Err(expected("`DOMAIN:KEY=VALUE,…` before the `/`,"));
        }
        let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        if !attribute.split('.').all(is_word) {
            return Err(expected("an attribute behind the `/`,"));
        }
        match text.contains(char::is_control) {
            true => Err(expected("one line")),
            false => Ok(Self(text.to_owned())),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_attributes_are_told_apart() {
        for text in [
            "java.lang:type=Threading/ThreadCount",
            "java.lang:type=MemoryPool,name=*/Usage.used",
            "com.zaxxer.hikari:type=Pool (orders)/ActiveConnections",
            "Tomcat:j2eeType=Servlet,WebModule=//localhost/,*/requestCount",
        ] {
            assert_eq!(Attribute::parse(text).as_ref().map(Attribute::text), Ok(text));
        }
    }

    #[test]
    fn what_is_amiss_is_said() {
        let refused = |text: &str, part: &str| {
            let why = Attribute::parse(text).unwrap_err();
            assert!(why.contains(part) && why.ends_with(&format!("found `{text}`")), "{why}");
        };
        refused("ThreadCount", "`/` and its attribute");
        refused("type=Threading/ThreadCount", "`DOMAIN:`");
        refused("java.lang:Threading/ThreadCount", "`DOMAIN:KEY=VALUE,…`");
        refused(":type=Threading/ThreadCount", "`DOMAIN:KEY=VALUE,…`");
        refused("java.lang:type=Threading/", "an attribute behind");
        refused("java.lang:type=Memory/HeapMemoryUsage.", "an attribute behind");
        refused("java.lang:type=a\nb/C", "one line");
    }
}
