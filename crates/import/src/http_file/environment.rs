//! `http-client.env.json`: variables by environment.

use plimsoll_text::nearest_first;
use serde_json::{Map, Value};

use crate::error::{ImportError, Source};

/// The environment whose variables all others inherit.
const SHARED: &str = "$shared";

/// The variables of the environment, and those shared by all; private files, which come later, win.
pub(super) fn read(files: &[(String, String)], wanted: Option<&str>) -> Result<Vec<(String, String)>, ImportError> {
    let mut parsed = Vec::new();
    for (name, text) in files {
        parsed.push(parse(Source { name, text })?);
    }
    let mut variables = Vec::new();
    let environments = parsed.iter().rev();
    if let Some(wanted) = wanted {
        if !parsed.iter().any(|file| file.contains_key(wanted)) {
            return Err(unknown(files, &parsed, wanted));
        }
        environments.clone().filter_map(|file| file.get(wanted)).for_each(|value| flatten("", value, &mut variables));
    }
    environments.filter_map(|file| file.get(SHARED)).for_each(|value| flatten("", value, &mut variables));
    Ok(variables)
}

fn parse(source: Source<'_>) -> Result<Map<String, Value>, ImportError> {
    let read = serde_json::from_str(source.text);
    let value = read.map_err(|error| source.json_error("expected variables by environment in JSON", &error))?;
    match value {
        Value::Object(environments) => Ok(environments),
        _ => Err(source.error(0, "expected an object with an object of variables for each environment")),
    }
}

fn unknown(files: &[(String, String)], parsed: &[Map<String, Value>], wanted: &str) -> ImportError {
    let Some((name, text)) = files.first() else {
        let message = format!("no environment `{wanted}`: there is no http-client.env.json beside the file");
        return Source { name: "--env", text: "" }.whole(message);
    };
    let names = parsed.iter().flat_map(Map::keys).map(String::as_str).filter(|name| *name != SHARED);
    let known = nearest_first(names, wanted);
    Source { name, text }.whole(format!("no environment `{wanted}`; there is {known}"))
}

/// `{"a": {"b": 1}}` gives `a.b`.
fn flatten(prefix: &str, value: &Value, variables: &mut Vec<(String, String)>) {
    let text = match value {
        Value::Object(members) => {
            for (name, value) in members {
                let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&name, value, variables);
            }
            return;
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    variables.push((prefix.to_owned(), text));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[&str]) -> Vec<(String, String)> {
        texts.iter().map(|text| ("e.json".to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn private_values_win_over_public_ones_and_those_over_shared_ones() {
        let files = files(&[
            r#"{"$shared": {"a": 1, "b": "s"}, "dev": {"b": "p", "c": {"d": true}, "e": "p"}}"#,
            r#"{"dev": {"e": "secret"}}"#,
        ]);
        let variables = read(&files, Some("dev")).unwrap();
        let first = |name: &str| variables.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
        assert_eq!(["a", "b", "c.d", "e"].map(first), [Some("1"), Some("p"), Some("true"), Some("secret")]);
        assert_eq!(read(&files, None).unwrap().len(), 2);
    }

    #[test]
    fn wrong_files_and_names_say_so() {
        let error = |texts: &[&str], name| read(&files(texts), Some(name)).unwrap_err().to_string();
        assert!(error(&[r#"{"dev": {}, "prod": {}}"#], "prd").contains("no environment `prd`; there is `prod`, `dev`"));
        assert!(error(&[], "dev").contains("no http-client.env.json"));
        assert!(error(&["{\n \"dev\": x}"], "dev").starts_with("e.json:2:9:"));
    }
}
