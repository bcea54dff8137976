//! The secrets of a command.

use plimsoll_secrets::{Hidden, hide};

use super::flags::{Flag, Given};

/// Finds the secrets of an option.
pub(super) fn of(given: &Given) -> Vec<String> {
    let value = String::from_utf8_lossy(&given.value.bytes);
    hidden(given.flag, &value).secrets
}

fn hidden(flag: Flag, value: &str) -> Hidden {
    match flag {
        Flag::User => hide::user(value),
        Flag::Bearer => Hidden::whole(value),
        Flag::Header => hide::header(value),
        Flag::Cookie => hide::under("Cookie", value),
        Flag::Form | Flag::FormString => hide::field(value),
        Flag::Url | Flag::Proxy | Flag::Referer => hide::url(value),
        // `file:passphrase`
        Flag::Cert => value.split_once(':').map(|(_, phrase)| Hidden::whole(phrase)).unwrap_or_default(),
        _ => hide::pairs(value),
    }
}

/// Finds secrets, as far as they can be told, in a command that cannot be read: an error will show some of it.
pub(super) fn of_unreadable(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    let after = words.windows(2).flat_map(|pair| match pair[0] {
        "--user" | "--proxy-user" => hide::user(pair[1]).secrets,
        "--oauth2-bearer" | "--pass" | "--proxy-pass" => Hidden::whole(pair[1]).secrets,
        "--cookie" => hide::under("Cookie", pair[1]).secrets,
        _ => Vec::new(),
    });
    after.chain(words.windows(2).flat_map(of_short)).chain(hide::pairs(text).secrets).collect()
}

/// Secrets of a short option, also of several that stand together: `-u me:secret`, `-sSu me:secret`, `-ume:secret`.
fn of_short(pair: &[&str]) -> Vec<String> {
    let Some(letters) = pair[0].strip_prefix('-').filter(|rest| !rest.starts_with('-')) else { return Vec::new() };
    let Some(at) = letters.find(['u', 'U', 'b']).filter(|&at| letters[..at].chars().all(char::is_alphabetic)) else {
        return Vec::new();
    };
    let rest = letters[at + 1..].trim_matches(['"', '\'']);
    let value = if rest.is_empty() { pair[1] } else { rest };
    if letters[at..].starts_with('b') { hide::under("Cookie", value).secrets } else { hide::user(value).secrets }
}

#[cfg(test)]
mod tests {
    use super::super::outline;

    #[test]
    fn every_option_that_holds_a_secret_tells_it() {
        let command = "curl 'http://a:url-pass@h/?sig=param' -u b:user-pass --oauth2-bearer token -H 'X-Api-Key: key' \
                       -b 'sid=cookie' -d 'password=data' -F 'secret=form' -x http://c:proxy-pass@p -E me.pem:phrase";
        let secrets = outline(command).secrets;
        for expected in
            ["url-pass", "param", "user-pass", "token", "key", "cookie", "data", "form", "proxy-pass", "phrase"]
        {
            assert!(secrets.iter().any(|secret| secret == expected), "no {expected} in {secrets:?}");
        }
        let unreadable = outline("curl h --pass phrase -u 'b:user-pass' -H 'X-Token: token").secrets;
        assert!(
            ["phrase", "user-pass", "token"].iter().all(|it| unreadable.contains(&(*it).to_owned())),
            "{unreadable:?}"
        );
        for clustered in ["-sSu b:user-pass", "-ub:user-pass", "-sU'b:user-pass'"] {
            let unreadable = outline(&format!("curl {clustered} http://h/$ID")).secrets;
            assert!(unreadable.iter().any(|it| it == "user-pass"), "{clustered}: {unreadable:?}");
        }
    }
}
