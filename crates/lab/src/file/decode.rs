//! From a tree to typed values: what is wrong is collected, not returned, so that one reading finds all of it.
//!
//! [`mapping!`] declares a mapping once: its keys, their types and their documentation. Reading, the errors
//! about unknown keys, the JSON Schema and the reference in `docs/` all come from that declaration. [`choice!`]
//! does so for words.

use std::borrow::Cow;

use plimsoll_text::{did_you_mean, one_of_but_found, quoted};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    errors::{At, Errors},
    node::{Node, Value},
};

/// A type that can be read from a tree. None means: an error has been pushed.
pub(super) trait FromNode: Sized {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self>;

    /// The value of a key that is absent; none if the key must be there.
    fn absent() -> Option<Self> {
        None
    }
}

/// A value with the tree it was read from.
#[derive(Clone, Debug)]
pub(super) struct Checked<T> {
    pub value: T,
    pub node: Node,
}

/// A mapping from names that the user chooses, in the file's order.
#[derive(Clone, Debug)]
pub(super) struct Entries<T>(pub Vec<(At<String>, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A list, or its only item without the dash.
#[derive(Clone, Debug)]
pub(super) struct OneOrMany<T>(pub Vec<T>);

/// A text, number or boolean, as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalar(pub String);

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Whole<const MIN: u64, const MAX: u64>(pub u64);

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    /// For bounds that fit, which they all do.
    pub fn narrow(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// A number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decimal(pub f64);

/// Pushes "expected …, found …".
pub(super) fn push_unexpected(node: &Node, expected: &str, errors: &mut Errors) {
    let remedy = match &node.value {
        Value::Nothing => ": give it a value, or remove the key",
        _ => "",
    };
    errors.push(&node.place, format!("expected {expected}, found {}{remedy}", node.found()));
}

impl<T: FromNode> FromNode for Option<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        Some(T::from_node(node, errors))
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: FromNode> FromNode for At<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        T::from_node(node, errors).map(|value| Self { value, place: node.place.clone() })
    }
}

impl<T: FromNode> FromNode for Checked<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        T::from_node(node, errors).map(|value| Self { value, node: node.clone() })
    }
}

impl<T: FromNode> FromNode for Vec<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let Value::List(items) = &node.value else {
            push_unexpected(node, "a list", errors);
            return None;
        };
        Some(items.iter().filter_map(|item| T::from_node(item, errors)).collect())
    }
}

impl<T: FromNode> FromNode for Entries<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            push_unexpected(node, "a mapping", errors);
            return None;
        };
        let read = entries.iter().filter_map(|entry| Some((entry.key.clone(), T::from_node(&entry.value, errors)?)));
        Some(Self(read.collect()))
    }
}

impl<T: FromNode> FromNode for OneOrMany<T> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::List(_) => Vec::from_node(node, errors).map(Self),
            _ => T::from_node(node, errors).map(|only| Self(vec![only])),
        }
    }
}

impl FromNode for String {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(word) | Value::Number(word) => {
                errors.push(&node.place, format!("expected text, found `{word}`: put it in quotes if it is meant"));
                None
            }
            _ => {
                push_unexpected(node, "text", errors);
                None
            }
        }
    }
}

impl FromNode for Scalar {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let scalar = node.scalar().map(|text| Self(text.to_owned()));
        if scalar.is_none() {
            push_unexpected(node, "text or a number", errors);
        }
        scalar
    }
}

impl FromNode for bool {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let value = match &node.value {
            Value::Bool(word) => word.to_lowercase().parse().ok(),
            _ => None,
        };
        if value.is_none() {
            push_unexpected(node, "`true` or `false`", errors);
        }
        value
    }
}

impl<const MIN: u64, const MAX: u64> FromNode for Whole<MIN, MAX> {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let value = match &node.value {
            Value::Number(digits) => digits.parse().ok().filter(|value| (MIN..=MAX).contains(value)),
            _ => None,
        };
        if value.is_none() {
            push_unexpected(node, &format!("a whole number from {MIN} to {MAX}"), errors);
        }
        value.map(Self)
    }
}

impl FromNode for Decimal {
    fn from_node(node: &Node, errors: &mut Errors) -> Option<Self> {
        let value = match &node.value {
            Value::Number(digits) => digits.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0),
            _ => None,
        };
        if value.is_none() {
            push_unexpected(node, "a number that is not negative", errors);
        }
        value.map(Self)
    }
}

/// The entries of a mapping; pushes an error for anything else and for every key that is not one of `keys`.
pub(super) fn check_mapping(node: &Node, keys: &[String], errors: &mut Errors) -> Option<()> {
    let names = keys.iter().map(String::as_str);
    let Value::Map(entries) = &node.value else {
        push_unexpected(node, &format!("a mapping with the keys {}", quoted(names)), errors);
        return None;
    };
    for entry in entries.iter().filter(|entry| !keys.contains(&entry.key.value)) {
        let meant = did_you_mean(names.clone(), &entry.key.value);
        let keys = quoted(names.clone());
        errors.push(&entry.key.place, format!("unknown key `{}`{meant}; the keys here are {keys}", entry.key.value));
    }
    Some(())
}

/// The value under `key`, or what stands for its absence.
pub(super) fn read_key<T: FromNode>(node: &Node, key: &str, errors: &mut Errors) -> Option<T> {
    match node.get(key) {
        Some(value) => T::from_node(value, errors),
        None => T::absent().or_else(|| {
            errors.push(&node.place, format!("the key `{key}` is missing"));
            None
        }),
    }
}

/// A word of a closed list.
pub(super) trait Choice {
    const WORDS: &'static [&'static str];

    /// As it is in the file.
    fn word(self) -> &'static str;
}

/// The scalar, if it is one of `words`.
pub(super) fn word_of<'a>(node: &'a Node, words: &[&str], errors: &mut Errors) -> Option<&'a str> {
    let word = node.scalar().filter(|word| words.contains(word));
    match (word, node.scalar()) {
        (None, Some(other)) => {
            let names = one_of_but_found(words.iter().copied(), other);
            errors.push(&node.place, format!("expected {names}"));
        }
        (None, None) => push_unexpected(node, &format!("one of {}", quoted(words.iter().copied())), errors),
        _ => {}
    }
    word
}

/// A mapping with fixed keys, which are the fields' names with `-` for `_`.
macro_rules! mapping {
    ($(#[$meta:meta])* pub struct $name:ident as $schema_name:tt {
        $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, schemars::JsonSchema)]
        #[schemars(rename = $schema_name, rename_all = "kebab-case", deny_unknown_fields)]
        #[schemars(extend("x-order" = Self::keys()))]
        pub(super) struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// Every key, in the order in which the reference lists them.
            pub fn keys() -> Vec<String> {
                vec![$(stringify!($field).replace('_', "-")),*]
            }
        }

        impl $crate::file::decode::FromNode for $name {
            fn from_node(
                node: &$crate::file::node::Node,
                errors: &mut $crate::file::errors::Errors,
            ) -> Option<Self> {
                use $crate::file::decode::{check_mapping, read_key};
                check_mapping(node, &Self::keys(), errors)?;
                $(let $field: Option<$type> = read_key(node, &stringify!($field).replace('_', "-"), errors);)*
                Some(Self { $($field: $field?,)* })
            }
        }
    };
}

/// One word of a closed list.
macro_rules! choice {
    ($(#[$meta:meta])* pub enum $name:ident as $schema_name:tt {
        $($(#[$variant_meta:meta])* $variant:ident = $word:tt,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema)]
        #[schemars(rename = $schema_name)]
        pub(super) enum $name {
            $($(#[$variant_meta])* #[schemars(rename = $word)] $variant,)*
        }

        impl $crate::file::decode::Choice for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::file::decode::FromNode for $name {
            fn from_node(
                node: &$crate::file::node::Node,
                errors: &mut $crate::file::errors::Errors,
            ) -> Option<Self> {
                let words = <Self as $crate::file::decode::Choice>::WORDS;
                match $crate::file::decode::word_of(node, words, errors)? {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

pub(super) use {choice, mapping};

/// The schema of a type that only adds something around another.
macro_rules! schema_of_inner {
    ($($wrapper:ident),*) => {$(
        impl<T: JsonSchema> JsonSchema for $wrapper<T> {
            fn schema_name() -> Cow<'static, str> {
                T::schema_name()
            }

            fn schema_id() -> Cow<'static, str> {
                T::schema_id()
            }

            fn inline_schema() -> bool {
                T::inline_schema()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                T::json_schema(generator)
            }
        }
    )*};
}

schema_of_inner!(At, Checked);

/// A schema that is written where it is used, instead of by reference.
macro_rules! inline_schema {
    ([$($generics:tt)*] $type:ty, |$generator:ident| $schema:expr) => {
        impl<$($generics)*> JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline_schema!([T: JsonSchema] Entries<T>, |generator| {
    json_schema!({"type": "object", "additionalProperties": generator.subschema_for::<T>()})
});
inline_schema!([T: JsonSchema] OneOrMany<T>, |generator| {
    let one = generator.subschema_for::<T>();
    json_schema!({"anyOf": [one, {"type": "array", "items": one}]})
});
inline_schema!([] Scalar, |_generator| {
    json_schema!({"type": ["string", "number", "boolean"], "x-what": "text"})
});
inline_schema!([const MIN: u64, const MAX: u64] Whole<MIN, MAX>, |_generator| {
    json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
});
inline_schema!([] Decimal, |_generator| json_schema!({"type": "number", "minimum": 0}));
