//! How much the settings of a bundled subject let it call at once.

use std::collections::BTreeMap;

use crate::subject::{Calls, Client, Pool};

impl Calls {
    /// Every property that holds a number of connections.
    pub(crate) fn pool_properties(&self) -> impl Iterator<Item = &'static str> {
        let pools = self.clients.iter().filter_map(|client| client.pool.as_ref());
        pools.flat_map(|pool| [Some(pool.per_route), pool.total]).flatten().map(|(property, _)| property)
    }

    /// The client of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&'static Client> {
        self.clients.iter().find(|client| client.name == name)
    }

    /// The client that properties choose, or the default one.
    pub(crate) fn chosen(&self, properties: &BTreeMap<String, String>) -> Option<&'static Client> {
        let (property, default) = self.client;
        self.named(properties.get(property).map_or(default, String::as_str))
    }
}

impl Client {
    /// Connections to one upstream at most; none where it opens as many as it is asked for.
    pub(crate) fn connections_per_route(&self, properties: &BTreeMap<String, String>) -> Option<u32> {
        let number =
            |(name, default): (&str, u32)| properties.get(name).and_then(|text| text.parse().ok()).unwrap_or(default);
        let Pool { per_route, total } = self.pool.as_ref()?;
        Some(total.map_or(u32::MAX, number).min(number(*per_route)))
    }
}

#[cfg(test)]
mod tests {
    use crate::subject::Subject;

    fn pool(subject: &str, client: &str, properties: &[(&str, &str)]) -> Option<u32> {
        let properties = properties.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let calls = Subject::named(subject).unwrap().calls.as_ref().unwrap();
        calls.named(client).unwrap().connections_per_route(&properties)
    }

    #[test]
    fn each_client_has_its_own_pool_or_none() {
        assert_eq!(pool("gateway", "resttemplate-pooled", &[]), Some(20));
        assert_eq!(pool("gateway", "resttemplate-simple", &[]), None);
        assert_eq!(pool("gateway", "webclient", &[]), Some(500));
        let per_route = ("gateway.pool.max-per-route", "400");
        assert_eq!(pool("gateway", "resttemplate-pooled", &[per_route]), Some(100), "no more than in all");
        assert_eq!(pool("caller", "webclient", &[]), Some(500));
        assert_eq!(pool("caller", "feign", &[]), None);
        assert_eq!(pool("caller", "feign-hc5", &[]), Some(50));
        let per_route = ("spring.cloud.openfeign.httpclient.max-connections-per-route", "400");
        let total = ("spring.cloud.openfeign.httpclient.max-connections", "400");
        assert_eq!(pool("caller", "feign-hc5", &[per_route, total]), Some(400));
    }

    #[test]
    fn the_defaults_are_those_of_the_subjects() {
        for (subject, lines) in [
            (
                "caller",
                ["client: webclient", "max-connections: 200 ", "max-connections-per-route: 50 ", "else 5 and 25"],
            ),
            ("gateway", ["client: resttemplate-pooled", "max-per-route: 20 ", "max-total: 100 ", "Reactor Netty: 500"]),
        ] {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../java/subjects");
            let yaml =
                std::fs::read_to_string(format!("{folder}/{subject}/src/main/resources/application.yml")).unwrap();
            for line in lines {
                assert!(yaml.contains(line), "{subject}'s application.yml does not say `{line}`");
            }
        }
    }
}
