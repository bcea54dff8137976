//! The path below which a service has all of its paths, as its own settings say.

/// Files of settings that frameworks pack into a jar.
const FILES: [&str; 3] = ["application.properties", "application.yml", "application.yaml"];
/// Folders of a jar where they lie.
const FOLDERS: [&str; 3] = ["", "BOOT-INF/classes/", "WEB-INF/classes/"];
/// Whole names, as properties have them.
const PROPERTIES: [&str; 3] =
    ["server.servlet.context-path", "spring.webflux.base-path", "micronaut.server.context-path"];
/// Last words of these names in YAML, which no other setting has.
const KEYS: [&str; 2] = ["context-path", "contextPath"];

/// Whether an entry of a jar is such a file.
pub fn is_settings(name: &str) -> bool {
    FOLDERS.iter().any(|folder| name.strip_prefix(folder).is_some_and(|file| FILES.contains(&file)))
}

/// The path that the text of such a file names, without a slash at its end.
pub fn of(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(['=', ':'])?;
        let is_meant = PROPERTIES.contains(&name.trim()) || KEYS.contains(&name.trim());
        let value = value.trim().trim_matches(['"', '\'']).trim_end_matches('/');
        let is_plain = value.chars().all(|char| char.is_ascii_alphanumeric() || "/-_.~".contains(char));
        (is_meant && value.len() > 1 && value.starts_with('/') && is_plain).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_path_is_found_in_either_format() {
        let of = |text| super::of(text).unwrap_or_default();
        assert_eq!(of("server.port=1\nserver.servlet.context-path = /shop/\n"), "/shop");
        assert_eq!(of("server:\n  servlet:\n    context-path: \"/shop/v2\"\n"), "/shop/v2");
        assert_eq!(of("micronaut.server.context-path=/api"), "/api");
        for other in ["server.servlet.context-path=/", "context-path: ${BASE}", "# context-path: /x", "base-path: /x"] {
            assert_eq!(of(other), "", "{other}");
        }
    }

    #[test]
    fn settings_lie_where_frameworks_pack_them() {
        assert!(is_settings("application.yml") && is_settings("BOOT-INF/classes/application.properties"));
        assert!(!is_settings("BOOT-INF/classes/x/application.yml") && !is_settings("application-dev.yml"));
    }
}
