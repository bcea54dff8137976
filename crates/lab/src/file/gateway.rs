//! How much the settings of the bundled gateway let it do at once: what its `application.yml` says of its clients.

use std::collections::BTreeMap;

/// The default of `gateway.client`.
const DEFAULT_CLIENT: &str = "resttemplate-pooled";
/// Of Apache HttpClient 5, as the gateway sets it: for each route, and in all.
const HTTP_COMPONENTS: (u32, u32) = (20, 100);
/// Of Reactor Netty, for each route.
const REACTOR_NETTY: u32 = 500;

/// Whether a thread of Tomcat's is held for as long as a call takes.
pub(super) fn holds_threads(properties: &BTreeMap<String, String>) -> bool {
    client(properties) != "webclient"
}

/// Connections to one upstream at most; none where the client opens as many as it is asked for.
pub(super) fn connections_per_route(properties: &BTreeMap<String, String>) -> Option<u32> {
    let number = |name: &str| properties.get(name).and_then(|text| text.parse().ok());
    let per_route = number("gateway.pool.max-per-route");
    match client(properties) {
        "resttemplate-pooled" | "feign-hc5" => {
            let (default_per_route, default_total) = HTTP_COMPONENTS;
            let total = number("gateway.pool.max-total").unwrap_or(default_total);
            Some(per_route.unwrap_or(default_per_route).min(total))
        }
        "webclient" => Some(per_route.unwrap_or(REACTOR_NETTY)),
        _ => None,
    }
}

fn client(properties: &BTreeMap<String, String>) -> &str {
    properties.get("gateway.client").map_or(DEFAULT_CLIENT, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_once(properties: &[(&str, &str)]) -> (bool, Option<u32>) {
        let properties = properties.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        (holds_threads(&properties), connections_per_route(&properties))
    }

    #[test]
    fn each_client_has_its_own_pool_or_none() {
        assert_eq!(at_once(&[]), (true, Some(20)));
        let hc5 = ("gateway.client", "feign-hc5");
        assert_eq!(
            at_once(&[hc5, ("gateway.pool.max-per-route", "100"), ("gateway.pool.max-total", "400")]).1,
            Some(100)
        );
        assert_eq!(at_once(&[hc5, ("gateway.pool.max-per-route", "400")]).1, Some(100), "no more than in all");
        assert_eq!(at_once(&[("gateway.client", "feign-default")]), (true, None));
        assert_eq!(at_once(&[("gateway.client", "webclient")]), (false, Some(500)));
    }

    #[test]
    fn the_defaults_are_those_of_the_gateway() {
        let yaml =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../java/subjects/gateway/src/main/resources/application.yml");
        let yaml = std::fs::read_to_string(yaml).unwrap();
        let (per_route, total) = HTTP_COMPONENTS;
        for line in [
            format!("client: {DEFAULT_CLIENT}"),
            format!("max-per-route: 20   # HC: {per_route}, as published; RN: {REACTOR_NETTY};"),
            format!("# HC: {total}, as published;"),
        ] {
            assert!(yaml.contains(&line), "application.yml does not say `{line}`");
        }
    }
}
