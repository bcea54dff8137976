//! Checks before anything is launched.

use std::{env, os::unix::fs::PermissionsExt, path::Path};

use url::Url;

use crate::{
    artifact::commit_of,
    beside::{Hooks, Ready},
    experiment::{Experiment, Program, Variant},
    jvm::{JarOrigin, Jvm, OwnService, WantedJdk},
    listening,
    placeholders::Placeholders,
    port,
    service::{Launching, Service},
};

/// Why an experiment cannot be run as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("variant `{variant}`: {problem}")]
pub struct CannotLaunch {
    /// Its name.
    pub variant: String,
    /// Its index in the plan.
    pub index: usize,
    /// Expected and found values, and the remedy.
    pub problem: String,
}

/// Checks that every variant's command, directory, port and URLs are there and make sense, on this machine and now.
///
/// # Errors
///
/// [`CannotLaunch`] for the first variant that fails a check.
pub fn check(experiment: &Experiment) -> Result<(), CannotLaunch> {
    for (index, (variant, plan)) in experiment.variants.iter().zip(&experiment.plan.variants).enumerate() {
        // Behind an emulated network the port belongs to a namespace that does not exist yet.
        let fixed_port = if plan.network.is_some() { None } else { fixed_port(variant) };
        let checked = check_variant(variant).and_then(|()| fixed_port.map_or(Ok(()), check_port));
        checked.map_err(|problem| CannotLaunch { variant: plan.name.clone(), index, problem })?;
    }
    Ok(())
}

fn check_variant(variant: &Variant) -> Result<(), String> {
    if let Program::Benchmarks { jar, .. } = &variant.program {
        return jar.as_deref().map_or(Ok(()), check_jar);
    }
    variant.ready_url.as_ref().map_or(Ok(()), |ready| url(ready, "ready").map(drop))?;
    url(&variant.url, "url")?;
    check_beside(variant)?;
    match &variant.program {
        Program::Command { argv, workdir, .. } => {
            check_directory(workdir)?;
            let program = argv.first().ok_or("`command` is empty: name a program and its arguments")?;
            let path = variant.env.get("PATH").cloned().or_else(|| env::var("PATH").ok()).unwrap_or_default();
            check_program(program, workdir, &path)
        }
        Program::Jvm(jvm) => jvm.service().map_or(Ok(()), |own| check_service(jvm, own, variant)),
        Program::Running | Program::Benchmarks { .. } => Ok(()),
    }
}

/// Checks the commands around its runs, and those of programs beside it.
fn check_beside(variant: &Variant) -> Result<(), String> {
    let own_path = env::var("PATH").unwrap_or_default();
    let check = |what: String, argv: &[String], workdir: &Path, path: &str| {
        // A name with a placeholder is known when it is started.
        let Some(program) = argv.first().filter(|program| !program.contains('{')) else { return Ok(()) };
        let checked = check_directory(workdir).and_then(|()| check_program(program, workdir, path));
        checked.map_err(|problem| format!("{what}: {problem}"))
    };
    let Hooks { before_run, before_level, after_run } = &variant.hooks;
    for (key, hook) in [("before-run", before_run), ("before-level", before_level), ("after-run", after_run)] {
        hook.as_ref().map_or(Ok(()), |it| check(format!("`{key}`"), &it.argv, &it.workdir, &own_path))?;
    }
    for dependency in &variant.dependencies {
        let path = dependency.env.get("PATH").unwrap_or(&own_path);
        let what = |key: &str| format!("{key} of the service `{}`", dependency.name);
        check(what("`command`"), &dependency.argv, &dependency.workdir, path)?;
        if let Ready::Command(argv) = &dependency.ready {
            check(what("`ready`"), argv, &dependency.workdir, path)?;
        }
    }
    Ok(())
}

/// Checks the jar and that the settings fit it, if it is there by now; or else how it is built.
fn check_service(jvm: &Jvm, own: &OwnService, variant: &Variant) -> Result<(), String> {
    check_directory(&own.workdir)?;
    match &own.jar {
        JarOrigin::File(jar) if !jar.is_file() => Err(format!(
            "`jar` is not there: {}: build it (`mvn package` makes target/….jar, Gradle's `bootJar` build/libs/….jar, \
             Quarkus target/quarkus-app/quarkus-run.jar), correct the path, or write `build` to have it built",
            jar.display()
        )),
        JarOrigin::File(jar) => {
            // Other JDKs are found later; one that is too old is told then.
            let feature = match jvm.jdk {
                Some(WantedJdk::Feature(feature)) => feature,
                _ => u32::MAX,
            };
            Launching::of(jvm, own, &variant.env, &Service::read(jar)?, feature).map(drop)
        }
        JarOrigin::Built(build) => {
            check_directory(&build.folder)?;
            let program = build.command.first().ok_or("the command of `build` is empty: name a program")?;
            check_program(program, &build.folder, &env::var("PATH").unwrap_or_default())?;
            let revision = build.revision.as_ref();
            revision.map_or(Ok(()), |revision| commit_of(&build.folder, revision).map(drop))
        }
    }
}

fn url(template: &str, key: &str) -> Result<Url, String> {
    Url::parse(&Placeholders::as_sample(template))
        .map_err(|error| format!("`{key}` is not a URL: `{template}`: {error}"))
}

fn check_jar(jar: &Path) -> Result<(), String> {
    if jar.is_file() {
        return Ok(());
    }
    let shown = jar.display();
    Err(format!(
        "`jar` is not there: {shown}: build it (`mvn package` makes target/benchmarks.jar), or correct the path"
    ))
}

fn check_directory(workdir: &Path) -> Result<(), String> {
    let shown = workdir.display();
    if workdir.is_dir() {
        Ok(())
    } else if workdir.exists() {
        Err(format!("`workdir` is not a directory: {shown}"))
    } else {
        Err(format!("`workdir` is not there: {shown}"))
    }
}

/// A program with a slash is a path, seen from `workdir`; one without is looked for in `path`, as `exec` will do.
fn check_program(program: &str, workdir: &Path, path: &str) -> Result<(), String> {
    if program.contains('/') {
        let file = workdir.join(program);
        return match (file.is_file(), is_executable(&file)) {
            (true, true) => Ok(()),
            (true, false) => Err(format!("command `{program}` is not executable: `chmod +x {}`", file.display())),
            (false, _) => Err(format!("command `{program}` not found: there is no file {}", file.display())),
        };
    }
    let mut folders = env::split_paths(path).map(|folder| workdir.join(folder));
    if folders.any(|folder| is_executable(&folder.join(program))) {
        Ok(())
    } else {
        Err(format!("command `{program}` not found in PATH ({path}): install it, or name it by its path"))
    }
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The port that this variant will listen on, if that is known beforehand.
fn fixed_port(variant: &Variant) -> Option<u16> {
    if matches!(variant.program, Program::Running) {
        return None;
    }
    let named = variant.program.fixed_port();
    let Some(ready) = variant.ready_url.as_deref() else { return named };
    let is_fixed = !ready.contains("{port}");
    let ready = url(ready, "ready").ok()?;
    let asked = (listening::is_loopback(&ready) && is_fixed).then(|| ready.port_or_known_default()).flatten();
    named.or(asked)
}

/// Checks that `port` is free: another listener would be measured instead of the target.
///
/// # Errors
///
/// The address that is taken, and the remedy.
pub fn check_port(port: u16) -> Result<(), String> {
    if port::is_free(port) {
        return Ok(());
    }
    Err(format!(
        "port {port} is taken: stop what listens there (`ss -ltnp 'sport = :{port}'` names it), or write `{{port}}` \
         in the command and its URLs to have a free one chosen"
    ))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, net::TcpListener};

    use plimsoll_record::{Nanos, Plan, VariantPlan};

    use super::*;
    use crate::{
        beside::{Dependency, Hook},
        experiment::Limits,
    };

    fn command(argv: &[&str], workdir: &Path) -> Variant {
        Variant {
            program: Program::Command {
                argv: argv.iter().map(|word| (*word).to_owned()).collect(),
                workdir: workdir.to_owned(),
                port: None,
            },
            env: BTreeMap::new(),
            limits: Limits::default(),
            ready_timeout: Nanos::from_secs(1),
            ready_url: Some("http://127.0.0.1:{port}/".to_owned()),
            url: "http://127.0.0.1:{port}/".to_owned(),
            response_timeout: Nanos::from_secs(1),
            metrics: None,
            hooks: Default::default(),
            dependencies: Vec::new(),
        }
    }

    fn problem(variant: Variant) -> String {
        let plan = VariantPlan { name: "mine".to_owned(), ..VariantPlan::default() };
        let plan = Plan { variants: vec![plan], ..Plan::default() };
        let experiment = Experiment { plan, variants: vec![variant], ..Experiment::default() };
        check(&experiment).expect_err("a problem").to_string()
    }

    #[test]
    fn a_command_that_is_there_is_fine() {
        let here = Path::new("/");
        assert_eq!(check_variant(&command(&["sh"], here)), Ok(()));
        assert_eq!(check_variant(&command(&["/bin/sh"], here)), Ok(()));
        assert_eq!(check_variant(&command(&["bin/sh"], here)), Ok(()), "seen from its directory");
    }

    #[test]
    fn a_command_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().expect("a directory");
        let shown = folder.path().display();
        let missing = problem(command(&["no-such-program"], folder.path()));
        assert!(missing.starts_with("variant `mine`: command `no-such-program` not found in PATH"), "{missing}");
        let path = problem(command(&["./run.sh"], folder.path()));
        assert_eq!(path, format!("variant `mine`: command `./run.sh` not found: there is no file {shown}/./run.sh"));
        fs::write(folder.path().join("run.sh"), "").expect("written");
        let not_executable = problem(command(&["./run.sh"], folder.path()));
        assert!(not_executable.ends_with(&format!("is not executable: `chmod +x {shown}/./run.sh`")));
        assert!(problem(command(&[], folder.path())).contains("`command` is empty"));
    }

    #[test]
    fn the_variants_own_path_counts() {
        let mut variant = command(&["sh"], Path::new("/"));
        variant.env.insert("PATH".to_owned(), "/nowhere".to_owned());
        assert!(problem(variant).contains("not found in PATH (/nowhere)"));
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let missing = problem(command(&["sh"], Path::new("/no/such/folder")));
        assert_eq!(missing, "variant `mine`: `workdir` is not there: /no/such/folder");
        assert!(problem(command(&["sh"], Path::new("/dev/null"))).contains("is not a directory"));
    }

    #[test]
    fn a_port_that_is_taken_is_an_error_however_it_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let taken = listener.local_addr().expect("bound").port();
        let mut by_name = command(&["sh"], Path::new("/"));
        by_name.program = Program::Command { argv: vec!["sh".to_owned()], workdir: "/".into(), port: Some(taken) };
        let by_url = ["localhost", "shop.localhost", "127.0.0.1"].map(|host| {
            let ready_url = Some(format!("http://{host}:{taken}/health"));
            Variant { ready_url, ..command(&["sh"], Path::new("/")) }
        });
        for variant in [by_name].into_iter().chain(by_url) {
            let message = problem(variant);
            assert!(message.starts_with(&format!("variant `mine`: port {taken} is taken: stop what")), "{message}");
        }
    }

    #[test]
    fn commands_around_a_run_and_beside_it_are_looked_for() {
        let hook =
            |program: &str| Hook { argv: vec![program.to_owned()], workdir: "/".into(), time_out: Nanos::from_secs(1) };
        let around = |before_run: &str, after_run: &str| {
            let hooks =
                Hooks { before_run: Some(hook(before_run)), after_run: Some(hook(after_run)), ..Hooks::default() };
            Variant { hooks, ..command(&["sh"], Path::new("/")) }
        };
        assert_eq!(check_variant(&around("sh", "./{level}.sh")), Ok(()));
        let missing = problem(around("sh", "no-such-program"));
        assert!(missing.contains("`after-run`: command `no-such-program` not found in PATH"), "{missing}");
        let beside = |program: &str, ready: Ready| {
            let Hook { workdir, time_out, .. } = hook("sh");
            let (name, argv, env) = ("db".to_owned(), vec![program.to_owned()], BTreeMap::new());
            let dependencies = vec![Dependency { name, argv, env, workdir, ready, time_out }];
            Variant { dependencies, ..command(&["sh"], Path::new("/")) }
        };
        assert_eq!(check_variant(&beside("sh", Ready::Port)), Ok(()));
        let missing = problem(beside("no-such-program", Ready::Port));
        assert!(missing.contains("`command` of the service `db`: command `no-such-program`"), "{missing}");
        let missing = problem(beside("sh", Ready::Command(vec!["./none.sh".to_owned()])));
        assert!(missing.contains("`ready` of the service `db`: command `./none.sh` not found"), "{missing}");
    }

    #[test]
    fn what_is_no_url_is_shown() {
        let mut variant = command(&["sh"], Path::new("/"));
        variant.ready_url = Some("127.0.0.1".to_owned());
        assert!(problem(variant).contains("`ready` is not a URL: `127.0.0.1`"));
    }
}
