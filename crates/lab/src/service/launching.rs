//! How a service of the user's own is launched: what its framework makes of a variant's settings.

use std::collections::BTreeMap;

use plimsoll_secrets::name::is_secret;

use super::{Framework, Given, Service, framework};
use crate::{
    jvm::{Jvm, OwnService, Threads, in_spring_json},
    packaging::Packaging,
};

/// The property that has Spring Boot serve requests in virtual threads.
const VIRTUAL: &str = "spring.threads.virtual.enabled";
/// The feature release that brought virtual threads.
const VIRTUAL_SINCE: u32 = 21;

/// The parts of a command line that follow from the framework.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launching {
    /// Options before `-jar`.
    pub options: Vec<String>,
    /// Arguments after the jar.
    pub arguments: Vec<String>,
    /// Properties that are secrets, in the environment.
    pub env: BTreeMap<String, String>,
    /// Path at which an answer says that it serves.
    pub ready_path: String,
}

/// Why settings of a variant do not fit its service, with what to do.
pub type Problem = String;

impl Launching {
    /// Translates these settings into options, arguments and properties of the `service`. `env` is that of the variant,
    /// `jdk_feature` the release that runs it.
    ///
    /// # Errors
    /// The first setting that does not fit.
    pub fn of(
        jvm: &Jvm,
        own: &OwnService,
        env: &BTreeMap<String, String>,
        service: &Service,
        jdk_feature: u32,
    ) -> Result<Self, Problem> {
        check_packaging(jvm.packaging, service)?;
        check_spring_aot(jvm, service)?;
        let mut properties = address(jvm, own, env, service)?;
        properties.extend(jvm.properties.clone());
        properties.extend(threads(own, jvm, service, jdk_feature)?);
        let mut launching =
            Self { arguments: own.arguments.clone(), ready_path: ready_path(own, service), ..Self::default() };
        let (secret, public): (BTreeMap<_, _>, BTreeMap<_, _>) =
            properties.into_iter().partition(|(name, value)| is_secret(name, value));
        launching.env = hidden(service.framework, secret)?;
        for (name, value) in public {
            match service.framework.given() {
                Given::AsArguments => launching.arguments.push(format!("--{name}={value}")),
                Given::AsSystemProperties => launching.options.push(format!("-D{name}={value}")),
            }
        }
        launching.options.extend(jvm.spring_aot.then(|| "-Dspring.aot.enabled=true".to_owned()));
        Ok(launching)
    }
}

/// Properties that are secrets, where nobody else can read them.
fn hidden(framework: Framework, secret: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Problem> {
    match (framework, secret.keys().next()) {
        (_, None) => Ok(BTreeMap::new()),
        (Framework::SpringBoot, Some(_)) => Ok(BTreeMap::from([in_spring_json(&secret)])),
        (Framework::Plain, Some(name)) => Err(format!(
            "the property `{name}` may be a secret, and everyone on this machine can read options of a JVM: give it by `env`"
        )),
        _ => Ok(secret.into_iter().map(|(name, value)| (variable(&name), value)).collect()),
    }
}

/// The variable from which MicroProfile Config and Micronaut read a property: other characters than letters and digits
/// become `_`.
fn variable(property: &str) -> String {
    let plain = |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_uppercase() } else { '_' };
    property.chars().map(plain).collect()
}

fn check_packaging(packaging: Packaging, service: &Service) -> Result<(), Problem> {
    let needs_extraction = matches!(packaging, Packaging::Extracted | Packaging::Cds | Packaging::AotCache);
    let word = packaging.word();
    match (packaging, service.framework) {
        (Packaging::Native, _) => Err(
            "`packaging: native` is made of bundled subjects only: build the image yourself, and launch it by `command`"
                .to_owned(),
        ),
        (_, Framework::SpringBoot) if needs_extraction && !service.extracts_itself && service.beside.is_empty() => {
            Err(format!(
                "`packaging: {word}` needs a jar that extracts itself, as Spring Boot 3.3 and newer make it, and this one is \
                 {}: take `packaging: jar`",
                service.description()
            ))
        }
        (Packaging::Extracted, Framework::SpringBoot) => Ok(()),
        (Packaging::Extracted, other) => Err(format!(
            "`packaging: extracted` is Spring Boot's, and this jar is {}, which has no nested jars: take `jar`, `cds` or \
             `aot-cache`",
            other.name()
        )),
        _ => Ok(()),
    }
}

fn check_spring_aot(jvm: &Jvm, service: &Service) -> Result<(), Problem> {
    if !jvm.spring_aot || service.is_ahead_of_time {
        return Ok(());
    }
    Err(match service.framework {
        Framework::SpringBoot => {
            "`spring-aot` needs a jar that was built with ahead-of-time processing, and this one has \
                                  no such classes: build it with `mvn -Pnative package`, or with the goal \
                                  `spring-boot:process-aot`"
                .to_owned()
        }
        other => format!("`spring-aot` is Spring Boot's, and this jar is {}: remove it", other.name()),
    })
}

/// The properties that tell it where to listen, as far as the file does not.
fn address(
    jvm: &Jvm,
    own: &OwnService,
    env: &BTreeMap<String, String>,
    service: &Service,
) -> Result<BTreeMap<String, String>, Problem> {
    let Some([host, port]) = service.framework.address_properties() else {
        let texts = jvm.properties.values().chain(env.values()).chain(&jvm.jvm_flags).chain(&own.arguments);
        let is_told = own.port.is_some() || texts.into_iter().any(|text| text.contains("{port}"));
        return if is_told { Ok(BTreeMap::new()) } else { Err(untold()) };
    };
    if let Some(fixed) = jvm.properties.get(port).filter(|value| !value.contains("{port}")) {
        return Err(format!(
            "the property `{port}` is {fixed}, and Plimsoll chooses a free port: remove it, or write `port: {fixed}` beside \
             `jar` to have that one"
        ));
    }
    Ok([(host, "{host}"), (port, "{port}")].map(|(name, value)| (name.to_owned(), value.to_owned())).into())
}

fn untold() -> Problem {
    format!(
        "nothing tells the program its port, for the jar is made with none of {}: write `{{port}}` into `properties` \
         (given as -Dname=value), `arguments`, `env` or `jvm-flags`, or name its `port`",
        framework::known()
    )
}

fn threads(
    own: &OwnService,
    jvm: &Jvm,
    service: &Service,
    jdk_feature: u32,
) -> Result<Option<(String, String)>, Problem> {
    let Some(threads) = own.threads else { return Ok(None) };
    let is_settable = service.framework == Framework::SpringBoot && service.is_at_least(3, 2);
    if !is_settable {
        let (what, why) = (service.description(), service.framework.own_threads());
        return Err(format!("`threads` cannot be chosen, for the jar is {what}: {why}"));
    }
    if service.is_reactive {
        return Err("`threads` changes nothing: requests are served by Netty's event loops; remove it".to_owned());
    }
    if threads == Threads::Virtual && jdk_feature < VIRTUAL_SINCE {
        return Err(format!(
            "`threads: virtual` needs JDK {VIRTUAL_SINCE} or newer, and this variant runs on JDK {jdk_feature}: write \
             `jdk: 25`"
        ));
    }
    if jvm.properties.contains_key(VIRTUAL) {
        return Err(format!("both `threads` and the property `{VIRTUAL}` are given: remove one"));
    }
    Ok(Some((VIRTUAL.to_owned(), (threads == Threads::Virtual).to_string())))
}

fn ready_path(own: &OwnService, service: &Service) -> String {
    service.health_path().unwrap_or_else(|| own.request_path.clone())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::jvm::{JarOrigin, Source};

    fn service(framework: Framework, version: &str) -> Service {
        Service {
            framework,
            version: Some(version.to_owned()),
            has_health: true,
            has_actuator: true,
            extracts_itself: false,
            is_ahead_of_time: false,
            is_reactive: false,
            base_path: None,
            kit: None,
            beside: Vec::new(),
        }
    }

    fn own() -> OwnService {
        OwnService {
            jar: JarOrigin::File(PathBuf::from("app.jar")),
            threads: None,
            arguments: vec!["serve".to_owned()],
            workdir: PathBuf::from("/"),
            port: None,
            request_path: "/items".to_owned(),
        }
    }

    fn jvm(properties: &[(&str, &str)]) -> Jvm {
        Jvm {
            source: Source::Service(own()),
            jdk: None,
            packaging: Packaging::Jar,
            spring_aot: false,
            jvm_flags: Vec::new(),
            properties: properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        }
    }

    fn launching(jvm: &Jvm, own: &OwnService, service: &Service, feature: u32) -> Result<Launching, Problem> {
        Launching::of(jvm, own, &BTreeMap::new(), service, feature)
    }

    #[test]
    fn each_framework_is_told_in_its_own_words() {
        let properties = [("a.b", "1"), ("db.password", "p")];
        let spring = launching(&jvm(&properties), &own(), &service(Framework::SpringBoot, "3.5.7"), 25).unwrap();
        assert_eq!(spring.arguments, ["serve", "--a.b=1", "--server.address={host}", "--server.port={port}"]);
        assert_eq!(spring.env["SPRING_APPLICATION_JSON"], r#"{"db.password":"p"}"#);
        assert_eq!((spring.options.len(), spring.ready_path.as_str()), (0, "/actuator/health"));
        let quarkus = launching(&jvm(&properties), &own(), &service(Framework::Quarkus, "3.33.2"), 25).unwrap();
        assert_eq!(quarkus.options, ["-Da.b=1", "-Dquarkus.http.host={host}", "-Dquarkus.http.port={port}"]);
        assert_eq!(quarkus.env, BTreeMap::from([("DB_PASSWORD".to_owned(), "p".to_owned())]));
        assert_eq!((quarkus.arguments, quarkus.ready_path.as_str()), (vec!["serve".to_owned()], "/q/health"));
    }

    #[test]
    fn threads_are_a_property_of_spring_boot_since_3_2_on_jdk_21() {
        let with = |threads, service: &Service, feature| {
            launching(&jvm(&[]), &OwnService { threads: Some(threads), ..own() }, service, feature)
        };
        let spring = |version| service(Framework::SpringBoot, version);
        let given = with(Threads::Virtual, &spring("3.2.0"), 21).unwrap().arguments;
        assert!(given.contains(&"--spring.threads.virtual.enabled=true".to_owned()), "{given:?}");
        let given = with(Threads::Platform, &spring("4.1.1"), 17).unwrap().arguments;
        assert!(given.contains(&"--spring.threads.virtual.enabled=false".to_owned()), "{given:?}");
        assert!(with(Threads::Virtual, &spring("3.1.9"), 25).unwrap_err().contains("needs Spring Boot 3.2"));
        assert!(with(Threads::Virtual, &spring("3.5.7"), 17).unwrap_err().contains("write `jdk: 25`"));
        let quarkus = with(Threads::Virtual, &service(Framework::Quarkus, "3.33.2"), 25).unwrap_err();
        assert!(quarkus.contains("the jar is Quarkus 3.33.2") && quarkus.contains("@RunOnVirtualThread"), "{quarkus}");
        let reactive = Service { is_reactive: true, ..spring("3.5.7") };
        assert!(with(Threads::Virtual, &reactive, 25).unwrap_err().contains("event loops"));
    }

    #[test]
    fn a_program_without_a_known_framework_must_be_told_its_port_by_the_file() {
        let plain = Service { has_health: false, ..service(Framework::Plain, "") };
        let error = launching(&jvm(&[]), &own(), &plain, 25).unwrap_err();
        assert!(error.starts_with("nothing tells the program its port") && error.contains("`{port}`"), "{error}");
        let told = launching(&jvm(&[("http.port", "{port}")]), &own(), &plain, 25).unwrap();
        assert_eq!((told.options, told.ready_path.as_str()), (vec!["-Dhttp.port={port}".to_owned()], "/items"));
        let env = BTreeMap::from([("PORT".to_owned(), "{port}".to_owned())]);
        assert!(Launching::of(&jvm(&[]), &own(), &env, &plain, 25).is_ok());
        assert!(launching(&jvm(&[]), &OwnService { port: Some(80), ..own() }, &plain, 25).is_ok());
        let secret = launching(&jvm(&[("p", "{port}"), ("db.password", "x")]), &own(), &plain, 25).unwrap_err();
        assert!(secret.ends_with("give it by `env`"), "{secret}");
    }

    #[test]
    fn settings_that_do_not_fit_the_jar_say_what_does() {
        let spring = service(Framework::SpringBoot, "3.5.7");
        let problem =
            |packaging, service: &Service| launching(&Jvm { packaging, ..jvm(&[]) }, &own(), service, 25).map(drop);
        assert!(problem(Packaging::Cds, &spring).unwrap_err().contains("Spring Boot 3.3 and newer"));
        assert_eq!(problem(Packaging::Cds, &Service { extracts_itself: true, ..spring.clone() }), Ok(()));
        let quarkus = service(Framework::Quarkus, "3.33.2");
        assert!(problem(Packaging::Extracted, &quarkus).unwrap_err().contains("this jar is Quarkus"));
        assert_eq!(problem(Packaging::AotCache, &quarkus), Ok(()));
        let fixed = launching(&jvm(&[("server.port", "8080")]), &own(), &spring, 25).unwrap_err();
        assert!(fixed.contains("`port: 8080`"), "{fixed}");
        let ahead = launching(&Jvm { spring_aot: true, ..jvm(&[]) }, &own(), &spring, 25).unwrap_err();
        assert!(ahead.contains("no such classes"), "{ahead}");
    }
}
