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

/// Bytes that values may fill in at one place, those within values included.
const VALUES_MAX: usize = 1 << 20;

impl Variables {
    pub fn new(environment: Vec<(String, String)>, file: Vec<(String, String)>) -> Self {
        Self { environment, file, used: Vec::new() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().chain(self.file.iter().rev()).find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text with all that is known in its place; or why not.
    pub fn replace(&mut self, text: &str) -> Result<String, String> {
        let mut used = Vec::new();
        let mut left = Some(VALUES_MAX);
        let replaced = placeholders::replace(text, |name| {
            if let Some(generated) = generated(name) {
                return Some(format!("{{{{{generated}}}}}"));
            }
            let value = self.value(name, &mut Vec::new(), &mut left)?;
            if is_open(&value) {
                // A random value is drawn once per request, for all places of the variable.
                used.push(name.to_owned());
                return None;
            }
            Some(value)
        });
        self.used.extend(used);
        left.map(|_| replaced).ok_or_else(|| {
            "the values of variables fill in more than 1 MiB here: shorten them; where one variable holds another \
             twice, they grow fast"
                .to_owned()
        })
    }

    /// The value with the values of others in it; a circle stays as it is written. Its bytes are taken off those that
    /// are `left`. Once they do not suffice, `left` is none, and nothing is replaced any more.
    fn value(&self, name: &str, within: &mut Vec<String>, left: &mut Option<usize>) -> Option<String> {
        // Deep nesting is a circle, or as good as one.
        const DEEPEST: usize = 20;
        if within.len() > DEEPEST || within.iter().any(|outer| outer == name) {
            return None;
        }
        let value = self.get(name)?;
        // A step costs something even where it fills in nothing.
        *left = left.and_then(|left| left.checked_sub(value.len().max(1)));
        left.as_ref()?;
        within.push(name.to_owned());
        let replaced = placeholders::replace(value, |inner| {
            generated(inner).map(|name| format!("{{{{{name}}}}}")).or_else(|| self.value(inner, within, left))
        });
        within.pop();
        Some(replaced)
    }

    /// The variables that requests use and whose values only the load can know.
    pub fn kept(&self) -> Vec<(String, String)> {
        let mut names = self.used.clone();
        names.sort();
        names.dedup();
        let with_value = |name: String| {
            let value = self.value(&name, &mut Vec::new(), &mut Some(VALUES_MAX));
            value.map(|value| (name, value))
        };
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
        assert_eq!(variables.replace("{{url}} {{id}} {{$timestamp}}").unwrap(), "http://env/p {{id}} {{$timestamp}}");
        assert_eq!(variables.replace("{{circle}} {{unknown}}").unwrap(), "{{circle}} {{unknown}}");
        assert_eq!(variables.kept(), pairs(&[("circle", "{{circle}}"), ("id", "x-{{$uuid}}")]));
    }
    #[test]
    fn values_that_double_are_refused_before_they_fill_the_memory() {
        let doubled = (1..20).map(|n| (format!("v{n}"), format!("{{{{v{0}}}}}{{{{v{0}}}}}", n - 1)));
        let mut variables = Variables::new(Vec::new(), doubled.chain([("v0".to_owned(), "x".repeat(10))]).collect());
        assert_eq!(variables.replace("{{v10}}").unwrap().len(), 10_240);
        let problem = variables.replace("{{v19}}").unwrap_err();
        assert!(problem.contains("more than 1 MiB here"), "{problem}");
    }
}
