//! How values of the record stand in columns.

use rusqlite::Row;
use serde::{Deserialize, Serialize, de::DeserializeOwned, de::IntoDeserializer, de::value::Error};

use crate::{Histogram, Nanos};

/// Errors of reading a row: SQLite's own, or a column with a value that was never written.
#[derive(Debug)]
pub(super) enum RowError {
    Sqlite(rusqlite::Error),
    Damaged { column: &'static str, row: i64, reason: String },
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// SQLite's integers are signed; what lies beyond (292 years in nanoseconds) is kept as the largest.
pub(super) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The name serde gives to a variant of an enum without fields, e.g. `not-ready`.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("an enum without fields is a word in JSON, not {other:?}"),
    }
}

/// A value as JSON, without secrets: see [`text`].
pub(super) fn json(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value);
    let mut value = value.expect("types of the record have text keys and cannot fail to serialize");
    plimsoll_secrets::mask_json(&mut value);
    value.to_string()
}

/// A text without secrets: whatever the record is given passes through here or through [`json`].
pub(super) fn text(text: impl AsRef<str>) -> String {
    plimsoll_secrets::mask(text.as_ref())
}

/// Empty histograms take no space.
pub(super) fn blob(histogram: &Histogram) -> Option<Vec<u8>> {
    (!histogram.is_empty()).then(|| histogram.to_bytes())
}

/// Columns of a row by name, as values of the record.
pub(super) struct Columns<'a>(pub &'a Row<'a>);

impl Columns<'_> {
    pub fn unsigned(&self, column: &'static str) -> Result<u64, RowError> {
        let value: i64 = self.0.get(column)?;
        u64::try_from(value).map_err(|_| self.damaged(column, format!("{value} is negative")))
    }

    pub fn index<T: TryFrom<u64>>(&self, column: &'static str) -> Result<T, RowError> {
        let value = self.unsigned(column)?;
        T::try_from(value).map_err(|_| self.damaged(column, format!("{value} is too large")))
    }

    pub fn nanos(&self, column: &'static str) -> Result<Nanos, RowError> {
        self.unsigned(column).map(Nanos)
    }

    pub fn optional_nanos(&self, column: &'static str) -> Result<Option<Nanos>, RowError> {
        let is_absent = self.0.get_ref(column)?.data_type() == rusqlite::types::Type::Null;
        if is_absent { Ok(None) } else { self.nanos(column).map(Some) }
    }

    pub fn word<T: for<'de> Deserialize<'de>>(&self, column: &'static str) -> Result<T, RowError> {
        let text: String = self.0.get(column)?;
        T::deserialize(text.into_deserializer()).map_err(|error: Error| self.damaged(column, error))
    }

    pub fn optional_word<T: for<'de> Deserialize<'de>>(&self, column: &'static str) -> Result<Option<T>, RowError> {
        let is_absent = self.0.get_ref(column)?.data_type() == rusqlite::types::Type::Null;
        if is_absent { Ok(None) } else { self.word(column).map(Some) }
    }

    pub fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, RowError> {
        let text: String = self.0.get(column)?;
        serde_json::from_str(&text).map_err(|error| self.damaged(column, error))
    }

    pub fn optional_json<T: DeserializeOwned>(&self, column: &'static str) -> Result<Option<T>, RowError> {
        let is_absent = self.0.get_ref(column)?.data_type() == rusqlite::types::Type::Null;
        if is_absent { Ok(None) } else { self.json(column).map(Some) }
    }

    pub fn histogram(&self, column: &'static str) -> Result<Histogram, RowError> {
        let bytes: Option<Vec<u8>> = self.0.get(column)?;
        bytes.map_or_else(
            || Ok(Histogram::new()),
            |bytes| Histogram::from_bytes(&bytes).map_err(|reason| self.damaged(column, reason)),
        )
    }
    fn damaged(&self, column: &'static str, reason: impl ToString) -> RowError {
        match self.0.get("id") {
            Ok(row) => RowError::Damaged { column, row, reason: reason.to_string() },
            Err(error) => error.into(),
        }
    }
}
