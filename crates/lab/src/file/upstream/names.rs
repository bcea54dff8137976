//! Whether what is named of an upstream will be there.

use plimsoll_record::UpstreamPlan;
use plimsoll_text::quoted;

use crate::placeholders::{UPSTREAM_CA, UPSTREAM_CLIENT, UPSTREAM_CONSTANTS, upstream_names};

use super::super::{
    errors::{Errors, Place},
    node::Node,
};

/// Pushes an error for each `{upstream…}` in the settings of a variant that its `upstream` does not have.
pub(in super::super) fn check_names(variant: &Node, upstream: Option<&UpstreamPlan>, errors: &mut Errors) {
    variant.for_each_text(&mut |text, place| {
        for name in upstream_names(text) {
            if let Err(why) = check_name(name, upstream) {
                errors.push(place, format!("`{{{name}}}` {why}"));
            }
        }
    });
}

fn check_name(name: &str, upstream: Option<&UpstreamPlan>) -> Result<(), String> {
    let tls = upstream.and_then(|upstream| upstream.tls.as_ref());
    let names = || UPSTREAM_CONSTANTS.into_iter().chain([UPSTREAM_CA]).chain(UPSTREAM_CLIENT);
    if !names().any(|known| known == name) {
        Err(format!("is not known: expected one of {}", quoted(names())))
    } else if upstream.is_none() {
        Err("is an upstream's, and this variant has none: add e.g. `upstream: {latency: 200ms}`".to_owned())
    } else if name == UPSTREAM_CA && tls.is_none() {
        Err("is for TLS: add `tls: true` to `upstream`".to_owned())
    } else if UPSTREAM_CLIENT.contains(&name) && !tls.is_some_and(|tls| tls.is_mutual) {
        Err("is for mutual TLS: add `mutual-tls: true` to `upstream`".to_owned())
    } else {
        Ok(())
    }
}

/// Pushes an error for each variant of `variants` (name, place, whether it has an upstream) that has none, if what is
/// requested, somewhere below `requested`, needs one.
pub(in super::super) fn check_constants<'a>(
    requested: impl Iterator<Item = &'a Node>,
    variants: impl Iterator<Item = (&'a str, &'a Place, bool)>,
    errors: &mut Errors,
) {
    let mut is_needed = false;
    for node in requested {
        node.for_each_text(&mut |text, _| is_needed |= text.contains("{{upstream"));
    }
    for (name, place, has_upstream) in variants {
        if is_needed && !has_upstream {
            let message = format!(
                "what is requested needs `{{{{upstream}}}}`, and variant `{name}` has no `upstream`: add e.g. `upstream: \
                 {{latency: 200ms}}`, to it or to `base`"
            );
            errors.push(place, message);
        }
    }
}
