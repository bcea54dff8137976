//! `{{name}}` in a file: replaced where the value is known before the load.

use crate::placeholders;

/// Variables by name; those of the environment win over those of the file, as in IntelliJ.
#[derive(Debug)]
pub(super) struct Variables {
    /// The first of a name counts.
    environment: Vec<(String, String)>,
    /// The last of a name counts.
    file: Vec<(String, String)>,
    used: Vec<String>,
}

impl Variables {
    pub fn new(environment: Vec<(String, String)>, file: Vec<(String, String)>) -> Self {
        Self { environment, file, used: Vec::new() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().chain(self.file.iter().rev()).find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text with all that is known in its place.
    pub fn replace(&mut self, text: &str) -> String {
        let mut used = Vec::new();
        let replaced = placeholders::replace(text, |name| {
            if let Some(generated) = generated(name) {
                return Some(format!("{{{{{generated}}}}}"));
            }
            let value = self.value(name, &mut Vec::new())?;
            if is_open(&value) {
                // A random value is drawn once per request, for all places of the variable.
                used.push(name.to_owned());
                return None;
            }
            Some(value)
        });
        self.used.extend(used);
        replaced
    }

    /// The value with the values of others in it; a circle stays as it is written.
    fn value(&self, name: &str, within: &mut Vec<String>) -> Option<String> {
        // Deep nesting is a circle, or as good as one.
        const DEEPEST: usize = 20;
        if within.len() > DEEPEST || within.iter().any(|outer| outer == name) {
            return None;
        }
        let value = self.get(name)?;
        within.push(name.to_owned());
        let replaced = placeholders::replace(value, |inner| {
            generated(inner).map(|name| format!("{{{{{name}}}}}")).or_else(|| self.value(inner, within))
        });
        within.pop();
        Some(replaced)
    }

    /// The variables that requests use and whose values only the load can know.
    pub fn kept(&self) -> Vec<(String, String)> {
        let mut names = self.used.clone();
        names.sort();
        names.dedup();
        let with_value = |name: String| self.value(&name, &mut Vec::new()).map(|value| (name, value));
        names.into_iter().filter_map(with_value).collect()
    }
}

fn is_open(value: &str) -> bool {
    placeholders::names(value).next().is_some()
}

/// The load's name for what IntelliJ makes anew for each request.
fn generated(name: &str) -> Option<&str> {
    match name {
        "$random.uuid" | "$guid" => Some("$uuid"),
        _ if name.starts_with('$') => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_replaced_through_each_other() {
        let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let file: Vec<_> = pairs(&[
            ("host", "file"),
            ("url", "http://{{host}}/{{ path }}"),
            ("path", "first"),
            ("path", "p"),
            ("id", "x-{{$random.uuid}}"),
            ("circle", "{{circle}}"),
        ]);
        let mut variables = Variables::new(pairs(&[("host", "env")]), file);
        assert_eq!(variables.replace("{{url}} {{id}} {{$timestamp}}"), "http://env/p {{id}} {{$timestamp}}");
        assert_eq!(variables.replace("{{circle}} {{unknown}}"), "{{circle}} {{unknown}}");
        assert_eq!(variables.kept(), pairs(&[("circle", "{{circle}}"), ("id", "x-{{$uuid}}")]));
    }
}
