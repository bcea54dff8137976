//! Paths that annotations of frameworks map to methods which answer a GET. They need no slash at their beginning.

use super::class::{Annotation, Class};

/// Annotations that hold paths, with their elements that do. On a class the path is the prefix of its methods' paths;
/// on a method it is the method's own.
const PATHS: &[(&str, &[&str])] = &[
    ("jakarta/ws/rs/Path", &["value"]),
    ("javax/ws/rs/Path", &["value"]),
    ("org/springframework/web/bind/annotation/RequestMapping", &["value", "path"]),
    ("org/springframework/web/bind/annotation/GetMapping", &["value", "path"]),
    ("io/micronaut/http/annotation/Controller", &["value"]),
    ("io/micronaut/http/annotation/Get", &["value", "uri", "uris"]),
];

/// Annotations of methods that answer a GET.
const GETS: &[&str] = &[
    "jakarta/ws/rs/GET",
    "javax/ws/rs/GET",
    "org/springframework/web/bind/annotation/GetMapping",
    "io/micronaut/http/annotation/Get",
];

/// The path below which JAX-RS has all others.
const APPLICATION: &[&str] = &["jakarta/ws/rs/ApplicationPath", "javax/ws/rs/ApplicationPath"];

/// Paths of a class, variables in them as they are written.
pub fn paths(class: &Class) -> Vec<String> {
    let answers = |method: &&Vec<Annotation>| method.iter().any(|it| GETS.contains(&it.name.as_str()));
    let below = said(&class.annotations);
    let of_method = |method: &Vec<Annotation>| {
        let own = said(method);
        below.iter().flat_map(|below| own.iter().map(|own| joined(below, own)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    class.methods.iter().filter(answers).flat_map(of_method).collect()
}

/// The path of the application that a class is, if it is one.
pub fn application(class: &Class) -> Option<String> {
    let own = class.annotations.iter().find(|it| APPLICATION.contains(&it.name.as_str()))?;
    let path = joined("", &own.texts.first()?.1);
    (path.len() > 1).then_some(path)
}

/// The paths that annotations say; an empty one where they say none.
fn said(annotations: &[Annotation]) -> Vec<String> {
    let of = |annotation: &Annotation| {
        let elements = PATHS.iter().find(|(name, _)| *name == annotation.name).map_or(&[][..], |it| it.1);
        let texts = annotation.texts.iter().filter(|(element, _)| elements.contains(&element.as_str()));
        texts.map(|(_, text)| text.clone()).collect::<Vec<_>>()
    };
    let said: Vec<String> = annotations.iter().flat_map(of).collect();
    if said.is_empty() { vec![String::new()] } else { said }
}

/// Joins two paths by one slash, wherever they have some: `orders` and `{id}` are `/orders/{id}`.
pub fn joined(below: &str, own: &str) -> String {
    let parts = [below, own].map(|part| part.trim_matches('/'));
    parts.into_iter().filter(|part| !part.is_empty()).fold(String::new(), |path, part| format!("{path}/{part}"))
}

#[cfg(test)]
mod tests {
    use super::{
        super::class::tests::{Written, class},
        *,
    };

    fn paths(own: &[Written<'_>], methods: &[&[Written<'_>]]) -> Vec<String> {
        super::paths(&Class::of(&class(&[], own, methods)))
    }

    #[test]
    fn paths_of_jax_rs_need_no_slash() {
        const GET: Written<'_> = ("Ljakarta/ws/rs/GET;", &[]);
        let own: &[Written<'_>] = &[("Ljakarta/ws/rs/Path;", &[("value", &["orders"])])];
        let methods: [&[Written<'_>]; 4] = [
            &[GET],
            &[GET, ("Ljakarta/ws/rs/Path;", &[("value", &["{id}/lines"])])],
            &[("Ljakarta/ws/rs/POST;", &[]), ("Ljakarta/ws/rs/Path;", &[("value", &["new"])])],
            &[("Ljava/lang/Deprecated;", &[])],
        ];
        assert_eq!(paths(own, &methods), ["/orders", "/orders/{id}/lines"]);
        let old: &[Written<'_>] = &[("Ljavax/ws/rs/Path;", &[("value", &["/a/"])])];
        assert_eq!(paths(old, &[&[("Ljavax/ws/rs/GET;", &[])]]), ["/a"]);
    }

    #[test]
    fn mappings_of_spring_and_micronaut_are_read_likewise() {
        let spring = "Lorg/springframework/web/bind/annotation/";
        let (below, get) = (format!("{spring}RequestMapping;"), format!("{spring}GetMapping;"));
        let own: &[Written<'_>] = &[(&below, &[("path", &["api", "v2"])])];
        assert_eq!(paths(own, &[&[(&get, &[("value", &["vets"])])]]), ["/api/vets", "/v2/vets"]);
        let own: &[Written<'_>] = &[("Lio/micronaut/http/annotation/Controller;", &[("value", &["books"])])];
        assert_eq!(paths(own, &[&[("Lio/micronaut/http/annotation/Get;", &[])]]), ["/books"]);
    }

    #[test]
    fn an_application_has_a_path_of_its_own() {
        let of = |path: &str| {
            let texts: &[&str] = &[path];
            let elements = [("value", texts)];
            let own: &[Written<'_>] = &[("Ljakarta/ws/rs/ApplicationPath;", &elements)];
            application(&Class::of(&class(&[], own, &[])))
        };
        assert_eq!((of("api").as_deref(), of("/")), (Some("/api"), None));
        assert_eq!(application(&Class::default()), None);
    }
}
