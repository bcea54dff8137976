//! Names that promise a secret: of headers, query parameters, fields of bodies, environment variables, properties,
//! columns and options alike.

/// How sure a name makes us that its value is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// An ordinary value.
    None,
    /// `…key`: a secret only if it looks like one.
    Maybe,
    /// A secret whatever it looks like.
    Secret,
}

/// Words that say it alone.
const WORDS: &[&str] = &[
    "auth",
    "bearer",
    "cred",
    "creds",
    "csrf",
    "jwt",
    "otp",
    "pass",
    "pat",
    "psw",
    "pw",
    "pwd",
    "sas",
    "sid",
    "sig",
    "signature",
    "xsrf",
];
/// They say it within a word, too: `accesstoken`, `dbpassword`.
const PARTS: &[&str] = &[
    "accesskey",
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "sessid",
    "sessionid",
    "sharedkey",
    "token",
];
/// They only look so.
const ORDINARY: &[&str] = &["secretary", "tokenise", "tokenised", "tokeniser", "tokenize", "tokenized", "tokenizer"];
/// Followed by `key`, they say it.
const BEFORE_KEY: &[&str] = &[
    "access",
    "account",
    "api",
    "app",
    "application",
    "auth",
    "client",
    "consumer",
    "encryption",
    "functions",
    "master",
    "private",
    "secret",
    "shared",
    "signing",
    "subscription",
];
/// As the last word they name something about a secret, not the secret.
const ABOUT: &[&str] = &[
    "age",
    "alg",
    "algorithm",
    "algorithms",
    "count",
    "dir",
    "directory",
    "domain",
    "enabled",
    "encoder",
    "endpoint",
    "expiration",
    "expires",
    "expiry",
    "file",
    "format",
    "header",
    "issuer",
    "length",
    "limit",
    "location",
    "max",
    "method",
    "min",
    "mode",
    "name",
    "path",
    "policy",
    "prefix",
    "required",
    "seconds",
    "size",
    "store",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
    "version",
];
/// As the first word they make a number of it: `max_tokens`.
const NUMBERS: &[&str] = &["max", "min", "num", "number", "total"];

/// Tells what `name` promises of its value: `X-Auth-Token`, `spring.datasource.password`, `DB_PASSWORD`, `accessToken`.
pub fn promise(name: &str) -> Promise {
    let words = words(name);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Promise::None };
    if ABOUT.contains(&last.as_str()) || (words.len() > 1 && NUMBERS.contains(&first.as_str())) {
        return Promise::None;
    }
    let is_secret_word = |word: &String| {
        let is_part = || PARTS.iter().any(|part| word.contains(part)) && !ORDINARY.contains(&word.as_str());
        WORDS.contains(&word.as_str()) || is_part()
    };
    let is_pair = |pair: &[String]| match [pair[0].as_str(), pair[1].as_str()] {
        [before, "key" | "keys"] => BEFORE_KEY.contains(&before),
        pair => pair == ["session", "id"],
    };
    if words.iter().any(is_secret_word) || words.windows(2).any(is_pair) {
        return Promise::Secret;
    }
    if matches!(last.as_str(), "key" | "keys") { Promise::Maybe } else { Promise::None }
}

/// Whether `value` is a secret under this `name`.
pub fn is_secret(name: &str, value: &str) -> bool {
    match promise(name) {
        Promise::Secret => true,
        Promise::Maybe => looks_drawn(value),
        Promise::None => false,
    }
}

/// Letters and digits without the signs of a path, a name or a sentence.
fn looks_drawn(value: &str) -> bool {
    const LEAST: usize = 12;
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    let is_token = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_+=".contains(c));
    value.len() >= LEAST && is_token && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// In lower case, cut where a sign stands or a capital begins a word.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        let next_is_lower = characters.get(index + 1).is_some_and(|next| next.is_lowercase());
        let after_lower = index > 0 && !characters[index - 1].is_uppercase();
        if !character.is_alphabetic() || (character.is_uppercase() && (after_lower || next_is_lower)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphabetic()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_others() {
        for secret in [
            "Authorization",
            "proxy-authorization",
            "Cookie",
            "Set-Cookie",
            "X-Api-Key",
            "apikey",
            "X-ApiKey",
            "x-apikey",
            "Ocp-Apim-Subscription-Key",
            "X-Auth",
            "X-Auth-Token",
            "X-Auth-User",
            "X-Password",
            "X-Session-Id",
            "X-CSRF-Token",
            "access_token",
            "api_key",
            "password",
            "sig",
            "client_secret",
            "refreshToken",
            "idToken",
            "spring.datasource.password",
            "Dspring.datasource.password",
            "server.ssl.key-store-password",
            "DB_PASSWORD",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "jwt.secret.key",
            "password2",
            "user[password]",
            "JSESSIONID",
            "PHPSESSID",
            "dbPassword",
            "passphrase",
            "X-Functions-Key",
            "PGPASSWORD",
            "DB_PASS",
            "$.token",
        ] {
            assert_eq!(promise(secret), Promise::Secret, "{secret}: {:?}", words(secret));
        }
        for ordinary in [
            "",
            "Accept",
            "name",
            "user",
            "Content-Type",
            "monkey",
            "keyboard",
            "author",
            "authority",
            "tokenizer",
            "token_type",
            "tokenUrl",
            "password.min-length",
            "cookie.name",
            "max_tokens",
            "secretary",
            "compass",
            "key-store",
            "passenger",
            "session",
            "design",
            "X-Request-Id",
            "SPRING_PROFILES_ACTIVE",
            "cookie-max-age",
        ] {
            assert_eq!(promise(ordinary), Promise::None, "{ordinary}: {:?}", words(ordinary));
        }
    }

    #[test]
    fn a_key_is_a_secret_if_it_looks_drawn() {
        assert!(is_secret("key", "AIzaSyD4x7Q9") && is_secret("MAPS_KEY", "0a1b2c3d4e5f"));
        for (name, value) in
            [("sort_key", "created"), ("key", "client-key.pem"), ("X-Key", "1"), ("key", "/run/key-0001")]
        {
            assert!(!is_secret(name, value), "{name}={value}");
        }
    }
}
