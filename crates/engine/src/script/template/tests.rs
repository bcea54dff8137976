//! Values that are filled in, and their escaping.

use plimsoll_record::Nanos;
use proptest::prelude::*;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::*;
use crate::script::User;

fn scope() -> Scope {
    let mut scope = Scope::default();
    scope.add_variable("token").unwrap();
    scope.add_column("users", "id").unwrap();
    scope.add_column("users", "name").unwrap();
    scope.add_column("items", "id").unwrap();
    scope.add_constant("city", "New York".to_owned()).unwrap();
    scope
}

fn render(template: &Template, values: [&str; 4]) -> String {
    let user = User { number: 7, values: values.map(str::to_owned).to_vec(), ..User::default() };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut left = FILLED_MAX;
    template.render_text(&mut Context { user: &user, unix: Nanos::ZERO, rng: &mut rng }, &mut left).unwrap()
}

const VALUES: [&str; 4] = ["t/1", "1", "O\"Brien & Co", "2"];

fn filled(text: &str, escape: Escape) -> String {
    render(&Template::new(text, escape, &scope()).unwrap(), VALUES)
}

#[test]
fn gaps_are_filled_and_constants_are_not_gaps() {
    assert_eq!(
        filled("<{{token}}|{{ name }}|{{users.id}}{{items.id}}|{{$vu}}>", Escape::None),
        "<t/1|O\"Brien & Co|12|7>"
    );
    assert_eq!(filled(r"\{{token}} }} {", Escape::None), "{{token}} }} {");
    let constant = Template::new("to {{city}}", Escape::None, &scope()).unwrap();
    assert_eq!(constant.constant(), Some(&b"to New York"[..]));
}

#[test]
fn values_are_written_as_their_place_needs() {
    assert_eq!(filled("{{name}}", Escape::Form), "O%22Brien+%26+Co");
    assert_eq!(
        render(&Template::url("/u/{{token}}?q={{name}}&c={{city}}", &scope()).unwrap(), VALUES),
        "/u/t%2F1?q=O%22Brien%20%26%20Co&c=New%20York"
    );
    assert_eq!(render(&Template::url("{{token}}?a", &scope()).unwrap(), VALUES), "t/1?a", "it may be a URL itself");
    let json = Template::json(r#"{"a\"b": "{{name}}", "n": {{items.id}}}"#, &scope()).unwrap();
    assert_eq!(render(&json, VALUES), r#"{"a\"b": "O\"Brien & Co", "n": 2}"#);
    let header = Template::new("{{token}}", Escape::Header, &scope()).unwrap();
    assert_eq!(render(&header, ["a\r\nX: b", "", "", ""]), "a  X: b");
    let mut basic = Template::default();
    basic.push_base64(Template::new("{{token}}:pass", Escape::None, &scope()).unwrap());
    assert_eq!(render(&basic, ["user", "", "", ""]), "dXNlcjpwYXNz");
}

#[test]
fn what_is_wrong_is_said() {
    let problem = |text: &str| Template::new(text, Escape::None, &scope()).unwrap_err();
    assert!(problem("{{tokne}}").contains("did you mean `token`?"), "{}", problem("{{tokne}}"));
    assert!(problem("{{id}}").contains("`users.id`, `items.id`"), "{}", problem("{{id}}"));
    assert!(problem("{{$uid}}").contains("did you mean `$uuid`?"), "{}", problem("{{$uid}}"));
    assert!(problem("a {{token").contains("never closed"), "{}", problem("a {{token"));
}

proptest! {
    #[test]
    fn text_without_gaps_stays_as_it_is(text in "[^{]{0,40}") {
        prop_assert_eq!(filled(&text, Escape::None), text);
    }

    #[test]
    fn escaped_values_read_back(value in "\\PC{0,20}") {
        let json = Template::json(r#"["{{token}}"]"#, &scope()).unwrap();
        let read: Vec<String> = serde_json::from_str(&render(&json, [&value, "", "", ""])).unwrap();
        prop_assert_eq!(&read[0], &value);
        let form = Template::new("a={{token}}", Escape::Form, &scope()).unwrap();
        let rendered = render(&form, [&value, "", "", ""]);
        let (_, read) = url::form_urlencoded::parse(rendered.as_bytes()).next().unwrap();
        prop_assert_eq!(&*read, &value);
    }

    #[test]
    fn no_text_makes_it_panic(text in "[{}$a-z\\\\\" é]{0,30}") {
        let _ = Template::url(&text, &scope());
        let _ = Template::json(&text, &scope());
    }
}

#[test]
fn constants_that_double_are_refused_before_they_fill_the_memory() {
    let mut scope = scope();
    scope.add_constant("c0", "x".repeat(1_000)).unwrap();
    let error = (1..40).find_map(|n| {
        let text = format!("{{{{c{0}}}}}{{{{c{0}}}}}", n - 1);
        let template = match Template::new(&text, Escape::None, &scope) {
            Ok(template) => template,
            Err(problem) => return Some((n, problem)),
        };
        let constant = String::from_utf8(template.constant().unwrap().to_vec()).unwrap();
        scope.add_constant(&format!("c{n}"), constant).unwrap();
        None
    });
    let (n, problem) = error.expect("a limit");
    assert!(n == 11 && problem.contains("more than 1 MiB here"), "{n}: {problem}");
    let all = (0..).find(|_| Template::new("{{c9}}", Escape::None, &scope).is_err());
    assert!(all.is_some_and(|count| count < 140), "{all:?}");
}

#[test]
fn values_fill_in_no_more_than_is_left() {
    let template = Template::new("{{token}}{{token}} and more", Escape::None, &scope()).unwrap();
    let user = User { values: vec!["x".repeat(100)], ..User::default() };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let context = &mut Context { user: &user, unix: Nanos::ZERO, rng: &mut rng };
    let mut left = 250;
    assert_eq!(template.render(context, &mut left).unwrap().len(), 209);
    assert_eq!(left, 50);
    let problem = template.render(context, &mut left).unwrap_err();
    assert!(problem.contains("more than 16 MiB"), "{problem}");
}
