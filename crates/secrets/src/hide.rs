//! Texts that users write, without their secrets: masked in place, by the names that stand beside them, however short
//! the values are.

use crate::{
    MASK, json,
    scan::{self, Cut},
    value::{of_user_info, of_value},
};

/// A text without its secrets, and the secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// With [`MASK`] in their places.
    pub text: String,
    /// To be [learned](crate::learn).
    pub secrets: Vec<String>,
}

impl Hidden {
    /// A text that is secret as a whole.
    pub fn whole(text: &str) -> Self {
        Self { text: MASK.to_owned(), secrets: vec![text.to_owned()] }
    }

    /// `cuts` may overlap: the first wins.
    fn cut(text: &str, mut cuts: Vec<Cut>) -> Self {
        cuts.sort_by_key(|cut| cut.place.start);
        let (mut hidden, mut copied) = (Self::default(), 0);
        for Cut { place, secrets } in cuts {
            hidden.secrets.extend(secrets);
            if place.start >= copied {
                hidden.text += &text[copied..place.start];
                hidden.text += MASK;
                copied = place.end;
            }
        }
        hidden.text += &text[copied..];
        hidden
    }

    fn with_prefix(mut self, prefix: &str) -> Self {
        self.text.insert_str(0, prefix);
        self
    }
}

/// Any text: user information and query parameters of the URLs in it.
pub fn text(text: &str) -> Hidden {
    Hidden::cut(text, scan::user_infos(text).chain(scan::parameters(text)).collect())
}

/// A URL, which may lack its scheme.
pub fn url(given: &str) -> Hidden {
    const SCHEME: &str = "http://";
    if has_scheme(given) {
        return text(given);
    }
    let hidden = text(&format!("{SCHEME}{given}"));
    Hidden { text: hidden.text[SCHEME.len()..].to_owned(), ..hidden }
}

/// Whether a URL has a scheme. Another URL may stand in the query of one that has none.
pub fn has_scheme(url: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, _)| {
        let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        !scheme.is_empty() && scheme.bytes().all(is_of_scheme)
    })
}

/// `user:password`. The user is left out as well: together they are an `Authorization`.
pub fn user(pair: &str) -> Hidden {
    Hidden { text: MASK.to_owned(), secrets: of_user_info(pair) }
}

/// The value that stands under `name`: of a header, a field, a variable, a property.
pub fn under(name: &str, value: &str) -> Hidden {
    match of_value(name, value) {
        Some(secrets) => Hidden { text: MASK.to_owned(), secrets },
        None if has_options(value) => pairs(value),
        None => text(value),
    }
}

/// Whether there are options of a program in it, such as `-Xmx1g -Ddb.password=x` of `JAVA_TOOL_OPTIONS`.
fn has_options(value: &str) -> bool {
    value.split_whitespace().any(|word| word.starts_with('-') && word.contains('='))
}

/// `Name: value`.
pub fn header(line: &str) -> Hidden {
    let Some((name, value)) = line.split_once(':') else { return pairs(line) };
    let space = &value[..value.len() - value.trim_start().len()];
    under(name, value.trim()).with_prefix(&format!("{name}:{space}"))
}

/// `name=value`.
pub fn field(pair: &str) -> Hidden {
    match pair.split_once('=') {
        Some((name, value)) => under(name, value).with_prefix(&format!("{name}=")),
        None => text(pair),
    }
}

/// A text of any form in which values stand beside their names: a body of JSON, XML or a form, lines of `name: value`,
/// a check.
pub fn pairs(text: &str) -> Hidden {
    with_pairs(text, std::iter::empty())
}

/// A command line, or a text with some of one in it: the same, and `--password x`.
pub fn command_line(text: &str) -> Hidden {
    with_pairs(text, scan::options(text))
}

fn with_pairs(text: &str, others: impl Iterator<Item = Cut>) -> Hidden {
    let cuts = scan::user_infos(text).chain(scan::parameters(text)).chain(scan::pairs(text)).chain(others);
    let mut hidden = Hidden::cut(text, cuts.collect());
    // The scan does not know of arrays and escapes.
    hidden.secrets.extend(json::secrets(text, &|text| self::text(text).secrets));
    hidden
}

/// The arguments of a program: `--password=x`, `--password x`, `-Dspring.datasource.password=x`, URLs.
pub fn arguments(arguments: &[String]) -> Vec<Hidden> {
    let mut before = None;
    arguments.iter().map(|given| argument(before.replace(given.as_str()), given)).collect()
}

/// One of them, and what stands before it.
pub fn argument(before: Option<&str>, given: &str) -> Hidden {
    let is_option = |text: &str| text.starts_with('-') && !text.contains('=');
    if let Some(option) = before.filter(|before| is_option(before) && !given.starts_with('-'))
        && let Some(secrets) = of_value(option, given)
    {
        return Hidden { text: MASK.to_owned(), secrets };
    }
    match given.split_once('=') {
        Some((name, value)) if !name.contains(char::is_whitespace) && of_value(name, value).is_some() => field(given),
        // A script of a shell, perhaps.
        _ if given.contains(char::is_whitespace) => command_line(given),
        _ => pairs(given),
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_STANDARD};

    use super::*;

    fn of(hidden: Hidden) -> (String, Vec<String>) {
        (hidden.text, hidden.secrets)
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn urls_lose_user_information_and_secret_parameters() {
        let (text, secrets) = of(url("http://me:p@ss@h:1/a?q=1&access_token=abc&sig=d#f"));
        assert_eq!(text, "http://(masked)@h:1/a?q=1&access_token=(masked)&sig=(masked)#f");
        assert_eq!(secrets[0], "p@ss");
        assert!(secrets.contains(&BASE64_STANDARD.encode("me:p@ss")) && secrets.ends_with(&strings(&["abc", "d"])));
        assert_eq!(url("me:pw@h/").text, "(masked)@h/");
        assert_eq!(url("me:pw@h/?to=http://a/").text, "(masked)@h/?to=http://a/");
        assert_eq!(url("https://0123456789abcdef@h/").text, "https://(masked)@h/");
        for same in
            ["http://h/a@b?q=a@b&key=name", "h:80/", "http://me@h/", "http://h/?token={{token}}", "http://(masked)@h"]
        {
            assert_eq!(of(url(same)), (same.to_owned(), Vec::new()));
        }
        let (text, secrets) = of(super::text("GET /a?token=xy failed: see jdbc:postgresql://u:v@w/d?password=z."));
        assert_eq!(text, "GET /a?token=(masked) failed: see jdbc:postgresql://(masked)@w/d?password=(masked)");
        assert!(["xy", "v", "z."].iter().all(|secret| secrets.iter().any(|found| found == secret)), "{secrets:?}");
    }

    /// Found by a fuzzer: white space of several bytes, where a parameter's `=` would be.
    #[test]
    fn characters_of_several_bytes_may_stand_anywhere() {
        assert_eq!(of(super::text("?token\u{1680}ab&token=cd\u{1680}")).0, "?token\u{1680}ab&token=(masked)\u{1680}");
        const PIECES: [&str; 14] =
            ["?token", "&", "=", ": ", "://", "@", "\u{1680}", "\u{e9}", "\"", "\\", "<token>", "Bearer ", "{{", "\n"];
        for number in 0..PIECES.len().pow(4) {
            let pieces = (0..4).map(|place| PIECES[number / PIECES.len().pow(place) % PIECES.len()]);
            let text: String = pieces.collect();
            assert!(super::text(&text).text.len() <= text.len() + 4 * "(masked)".len());
        }
    }

    #[test]
    fn headers_are_told_by_their_names() {
        let basic = format!("authorization: Basic {}", BASE64_STANDARD.encode("me:pw"));
        assert_eq!(of(header(&basic)), ("authorization: (masked)".to_owned(), strings(&["bWU6cHc=", "pw"])));
        assert_eq!(of(header("X-Api-Key:k")), ("X-Api-Key:(masked)".to_owned(), strings(&["k"])));
        assert_eq!(of(header("Accept: */*")), ("Accept: */*".to_owned(), Vec::new()));
        let cookies = of(header("Cookie: id=0123456789; lang=en; token=ab"));
        assert_eq!(cookies.1, strings(&["0123456789", "ab", "id=0123456789; lang=en; token=ab"]));
        assert_eq!(of(header("Authorization: Bearer {{token}}")).1, strings(&[]));
        assert_eq!(header("X-Token: abcdefgh{{vu}}").secrets, strings(&["abcdefgh"]));
        assert_eq!(header("Referer: http://h/?token=x").text, "Referer: http://h/?token=(masked)");
    }

    #[test]
    fn values_stand_beside_their_names_in_many_forms() {
        for (text, expected) in [
            (r#"{"user": "u", "password": "a \"b\" c"}"#, r#"{"user": "u", "password": "(masked)"}"#),
            (r#"{"token":5,"n":1}"#, r#"{"token":(masked),"n":1}"#),
            ("user=u&password=p&n=1", "user=u&password=(masked)&n=1"),
            ("<login><password>p</password></login>", "<login><password>(masked)</password></login>"),
            ("a: 1\npassword: p\nb: 2", "a: 1\npassword: (masked)\nb: 2"),
            ("Authorization: Bearer x\nA: b", "Authorization: (masked)\nA: b"),
            ("header X-Api-Key == \"a b\"", "header X-Api-Key == \"(masked)\""),
            ("cookie sid contains abc", "cookie sid contains (masked)"),
            (r#"{"name": "Cookie", "value": "a=b; c=d"}"#, r#"{"name": "Cookie", "value": "(masked)"}"#),
            ("curl -H 'authorization: Basic x' http://h", "curl -H 'authorization: (masked)' http://h"),
            ("token: {{token}}, password: \"{{p}}\"", "token: {{token}}, password: \"{{p}}\""),
            ("json $.items[0].id == 7", "json $.items[0].id == 7"),
            ("status == 200", "status == 200"),
        ] {
            assert_eq!(pairs(text).text, expected);
        }
        assert_eq!(pairs(r#"{"tokens": ["one", "two\u0021", {"x": "y"}]}"#).secrets, strings(&["one", "two!"]));
    }

    #[test]
    fn arguments_of_a_program_are_told_by_their_options() {
        let given = [
            "java",
            "-Ddb.password=a b",
            "--token",
            "c",
            "--password=d,e",
            "-jar",
            "x.jar",
            "--url=http://u:p@h",
            "--api-key",
        ];
        let expected = [
            "java",
            "-Ddb.password=(masked)",
            "--token",
            "(masked)",
            "--password=(masked)",
            "-jar",
            "x.jar",
            "--url=http://(masked)@h",
            "--api-key",
        ];
        let hidden = arguments(&strings(&given));
        assert_eq!(hidden.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), expected);
        let secrets: Vec<_> = hidden.into_iter().flat_map(|it| it.secrets).collect();
        assert_eq!(secrets[..4], strings(&["a b", "c", "d,e", "p"]));
        let script = argument(Some("-c"), "exec svc -p 1 --db-password 'pw' --token=t --api-key -v # --token x y");
        let expected = "exec svc -p 1 --db-password '(masked)' --token=(masked) --api-key -v # --token (masked) y";
        assert_eq!(of(script), (expected.to_owned(), strings(&["pw", "t", "x"])));
    }
}
