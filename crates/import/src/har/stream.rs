//! Entries one by one: a recording may be far larger than what a load takes of it.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// Hands each entry of the HAR in `json` to `see`; how many there are.
pub(super) fn entries<'de, T: Deserialize<'de>>(json: &'de str, see: impl FnMut(T)) -> serde_json::Result<usize> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let each = Each { see, entry: PhantomData };
    let count = Within { field: "log", inner: Within { field: "entries", inner: each } }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(count)
}

/// A field of an object; all others may be as they like.
struct Within<S> {
    field: &'static str,
    inner: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Within<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Within<S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with `{}`", self.field)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<S::Value, A::Error> {
        let (mut inner, mut found) = (Some(self.inner), None);
        while let Some(key) = map.next_key::<String>()? {
            match inner.take_if(|_| key == self.field) {
                Some(inner) => found = Some(map.next_value_seed(inner)?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        found.ok_or_else(|| A::Error::missing_field(self.field))
    }
}

struct Each<T, F> {
    see: F,
    entry: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> DeserializeSeed<'de> for Each<T, F> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Each<T, F> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<usize, A::Error> {
        let mut count = 0;
        while let Some(entry) = items.next_element()? {
            (self.see)(entry);
            count += 1;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_seen_one_by_one_wherever_they_stand() {
        let mut seen = Vec::new();
        let json = r#"{"a": [1], "log": {"x": {"entries": 0}, "entries": [1, 2], "y": 3}, "log": 4}"#;
        assert_eq!(entries(json, |entry: u8| seen.push(entry)).unwrap(), 2);
        assert_eq!(seen, [1, 2]);
        let problem = |json| entries(json, |_: u8| ()).unwrap_err().to_string();
        assert!(problem("{}").starts_with("missing field `log`"));
        assert!(problem("[]").contains("expected an object with `log`"));
        assert!(problem(r#"{"log": {"entries": 1}}"#).contains("expected a list of entries"));
        assert!(problem(r#"{"log": {"entries": []}} x"#).starts_with("trailing characters"));
    }
}
