//! What names stand for at a place of a script.

use super::{
    builtin::{self, Builtin},
    template::Value,
};

/// The names that a text may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: Vec<(String, Meaning)>,
    /// Names that several feeders have a column of: only with the feeder's name before them.
    ambiguous: Vec<String>,
    variables: usize,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Constant(String),
    Varying(Value),
}

impl Scope {
    /// How many variables there are that vary.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Adds a name that always stands for the same.
    pub fn add_constant(&mut self, name: &str, text: String) -> Result<(), String> {
        self.add(name, Meaning::Constant(text))
    }

    /// Adds a name that varies; the index of its variable.
    pub fn add_variable(&mut self, name: &str) -> Result<usize, String> {
        let index = self.variables;
        self.add(name, Meaning::Varying(Value::Variable(index)))?;
        self.variables += 1;
        Ok(index)
    }

    /// Adds a column under its own name and under the feeder's; the index of its variable.
    pub fn add_column(&mut self, feeder: &str, column: &str) -> Result<usize, String> {
        let index = self.add_variable(&format!("{feeder}.{column}"))?;
        let meaning = Meaning::Varying(Value::Variable(index));
        if self.find(column).is_some() || self.ambiguous.iter().any(|name| name == column) {
            self.names.retain(|(name, _)| name != column);
            self.ambiguous.push(column.to_owned());
        } else {
            self.names.push((column.to_owned(), meaning));
        }
        Ok(index)
    }

    /// The variable of a capture; one that is captured before keeps its own.
    pub fn add_capture(&mut self, name: &str, captured_before: bool) -> Result<usize, String> {
        match self.find(name) {
            Some(Meaning::Varying(Value::Variable(index))) if captured_before => Ok(*index),
            _ => self.add_variable(name),
        }
    }

    fn add(&mut self, name: &str, meaning: Meaning) -> Result<(), String> {
        let is_good = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || !name.chars().all(is_good) {
            return Err(format!("expected a name of letters, digits, `_`, `-` and `.`, found `{name}`"));
        }
        if self.find(name).is_some() {
            return Err(format!("the name `{name}` stands for something else already: choose another"));
        }
        self.names.push((name.to_owned(), meaning));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Meaning> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, meaning)| meaning)
    }

    /// What `name` stands for here.
    pub fn meaning(&self, name: &str) -> Result<Meaning, String> {
        if let Some(builtin) = Builtin::parse(name) {
            return builtin.map(|builtin| Meaning::Varying(Value::Builtin(builtin)));
        }
        if let Some(meaning) = self.find(name) {
            return Ok(meaning.clone());
        }
        if self.ambiguous.iter().any(|ambiguous| ambiguous == name) {
            let ending = format!(".{name}");
            let full: Vec<&str> = self.known().filter(|known| known.ends_with(&ending)).collect();
            return Err(format!("`{name}` is a column of several feeders: write {}", list(full)));
        }
        let known: Vec<&str> = self.known().chain(builtin::NAMES).collect();
        let meant = nearest(&known, name).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        Err(format!("nothing here is called `{name}`{meant}; the names are {}", list(known)))
    }

    fn known(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }
}

fn list(names: Vec<&str>) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn nearest<'a>(known: &[&'a str], found: &str) -> Option<&'a str> {
    let distance = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &found.to_lowercase());
    let (distance, name) = known.iter().map(|name| (distance(name), *name)).min()?;
    (distance <= 1.max(found.chars().count() / 3)).then_some(name)
}
