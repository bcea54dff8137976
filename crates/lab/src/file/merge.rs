//! Where a variant's settings come from: `base`, then what it `extends`, then its own. Later ones win; mappings
//! are merged key by key.

use plimsoll_text::one_of_but_found;

use super::{
    errors::{At, Errors},
    node::{Node, Value},
};

/// A variant before its settings are put together.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub name: At<String>,
    /// Its own settings.
    pub node: Node,
}

/// `top` laid over `bottom`.
pub(super) fn overlay(bottom: &Node, top: &Node) -> Node {
    let (Value::Map(below), Value::Map(above)) = (&bottom.value, &top.value) else { return top.clone() };
    let mut entries = below.clone();
    for entry in above {
        match entries.iter_mut().find(|old| old.key.value == entry.key.value) {
            Some(old) => {
                let value = overlay(&old.value, &entry.value);
                old.key = entry.key.clone();
                old.value = value;
            }
            None => entries.push(entry.clone()),
        }
    }
    Node { place: top.place.clone(), value: Value::Map(entries) }
}

/// All settings of the variant at `index`; none if what it extends is not there or leads back to itself.
pub(super) fn settings(drafts: &[Draft], index: usize, base: Option<&Node>, errors: &mut Errors) -> Option<Node> {
    let chain = ancestors(drafts, index, errors)?;
    let own_last = chain.iter().rev().map(|&i| &drafts[i].node);
    base.into_iter().chain(own_last).cloned().reduce(|below, above| overlay(&below, &above))
}

/// Variants in a row of which each extends the next.
const CHAIN_MAX: usize = 32;

/// `index`, what it extends, what that extends, and so on.
fn ancestors(drafts: &[Draft], index: usize, errors: &mut Errors) -> Option<Vec<usize>> {
    let mut chain = vec![index];
    let mut current = index;
    while let Some(extends) = drafts[current].node.get("extends") {
        let wanted = extends.scalar()?;
        let Some(next) = drafts.iter().position(|draft| draft.name.value == wanted) else {
            let names = one_of_but_found(drafts.iter().map(|draft| draft.name.value.as_str()), wanted);
            errors.push(&extends.place, format!("expected the name of another variant, {names}"));
            return None;
        };
        if let Some(start) = chain.iter().position(|&seen| seen == next) {
            // Every member of the cycle gets here; the first in the file speaks for all of them.
            if chain[start..].iter().min() == Some(&index) {
                let names: Vec<&str> =
                    chain[start..].iter().chain([&next]).map(|&i| drafts[i].name.value.as_str()).collect();
                let message =
                    format!("variants extend each other in a circle: {}; remove one `extends`", names.join(" → "));
                errors.push(&extends.place, message);
            }
            return None;
        }
        chain.push(next);
        if chain.len() > CHAIN_MAX {
            let message = format!("expected at most {CHAIN_MAX} variants that extend one another, found more");
            errors.push(&drafts[index].name.place, message);
            return None;
        }
        current = next;
    }
    Some(chain)
}
