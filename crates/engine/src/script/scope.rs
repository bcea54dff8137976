//! Names that can be used at a place of a script, and their bindings.

use std::{cell::Cell, rc::Rc};

use plimsoll_text::{did_you_mean, quoted};

use super::builtin::{self, Builtin};

/// The names that a text may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: Vec<(String, Binding)>,
    /// Names that several feeders have a column of: only with the feeder's name before them.
    ambiguous: Vec<String>,
    variables: usize,
    /// Bytes of constants that texts have been filled with, of all flows together.
    filled: Rc<Cell<usize>>,
}

/// Bytes that constants may fill in, in all texts of a script.
const CONSTANTS_MAX: usize = 64 << 20;

/// A value that fills a gap, anew for each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The variable of this index.
    Variable(usize),
    Builtin(Builtin),
}

/// Binding of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    Constant(String),
    Varying(Value),
}

impl Scope {
    /// Counts bytes of constants. Returns whether all of them are still within bounds.
    pub fn takes(&self, bytes: usize) -> bool {
        self.filled.set(self.filled.get().saturating_add(bytes));
        self.filled.get() <= CONSTANTS_MAX
    }

    /// Number of variables that vary.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Adds a name that always stands for the same.
    pub fn add_constant(&mut self, name: &str, text: String) -> Result<(), String> {
        self.add(name, Binding::Constant(text))
    }

    /// Adds a name that varies; the index of its variable.
    pub fn add_variable(&mut self, name: &str) -> Result<usize, String> {
        let index = self.variables;
        self.add(name, Binding::Varying(Value::Variable(index)))?;
        self.variables += 1;
        Ok(index)
    }

    /// Adds a column under its own name and under the feeder's; the index of its variable.
    pub fn add_column(&mut self, feeder: &str, column: &str) -> Result<usize, String> {
        let index = self.add_variable(&format!("{feeder}.{column}"))?;
        let binding = Binding::Varying(Value::Variable(index));
        if self.find(column).is_some() || self.ambiguous.iter().any(|name| name == column) {
            self.names.retain(|(name, _)| name != column);
            self.ambiguous.push(column.to_owned());
        } else {
            self.names.push((column.to_owned(), binding));
        }
        Ok(index)
    }

    /// The variable of a capture; one that is captured before keeps its own.
    pub fn add_capture(&mut self, name: &str, captured_before: bool) -> Result<usize, String> {
        match self.find(name) {
            Some(Binding::Varying(Value::Variable(index))) if captured_before => Ok(*index),
            _ => self.add_variable(name),
        }
    }

    fn add(&mut self, name: &str, binding: Binding) -> Result<(), String> {
        let is_good = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || !name.chars().all(is_good) {
            return Err(format!("expected a name of letters, digits, `_`, `-` and `.`, found `{name}`"));
        }
        if self.find(name).is_some() {
            return Err(format!("the name `{name}` stands for something else already: choose another"));
        }
        self.names.push((name.to_owned(), binding));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Binding> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, binding)| binding)
    }

    /// The binding of `name` here.
    pub fn binding(&self, name: &str) -> Result<Binding, String> {
        if let Some(builtin) = Builtin::parse(name) {
            return builtin.map(|builtin| Binding::Varying(Value::Builtin(builtin)));
        }
        if let Some(binding) = self.find(name) {
            return Ok(binding.clone());
        }
        if self.ambiguous.iter().any(|ambiguous| ambiguous == name) {
            let ending = format!(".{name}");
            let full: Vec<&str> = self.known().filter(|known| known.ends_with(&ending)).collect();
            return Err(format!("`{name}` is a column of several feeders: write {}", quoted(full)));
        }
        let known: Vec<&str> = self.known().chain(builtin::NAMES).collect();
        let meant = did_you_mean(known.iter().copied(), name);
        Err(format!("nothing here is called `{name}`{meant}; the names are {}", quoted(known)))
    }

    fn known(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }
}
