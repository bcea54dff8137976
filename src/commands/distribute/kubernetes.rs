//! A manifest for Kubernetes: the collector is a Pod, the parts are an Indexed Job. Parts that stay have no collector.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{
    distribution::{Distribution, LoadFile, PORT, Word, commented, plain},
    engines::Engine,
    words::{yaml, yaml_list},
};

pub const ENGINE: Engine = Engine {
    name: "kubernetes",
    about: "a manifest for kubectl",
    needs_image: true,
    files_bytes_max: Some(FILES_BYTES_MAX),
    print: manifest,
};

/// Bytes that `kubectl apply` takes: it keeps a copy in an annotation, which may have 256 KiB.
const APPLIED_BYTES_MAX: usize = 180_000;

/// A Secret takes 1 MiB.
const FILES_BYTES_MAX: usize = 1_000_000;

/// Where files that are written go.
const WORK: &str = "/record";

/// The collector's record.
pub const RECORD: &str = "/record/plimsoll.db";

/// Where the load finds its files.
const LOAD: &str = "/load";

fn manifest(it: &Distribution) -> String {
    let documents = match it.stays() {
        true => vec![secret(it), parts(it)],
        false => vec![secret(it), service(it), collector(it), parts(it)],
    };
    heading(it) + &documents.join("---\n")
}

fn heading(it: &Distribution) -> String {
    let bytes: usize = it.files.iter().map(|file| file.content.len()).sum();
    let verb = if bytes > APPLIED_BYTES_MAX { "create" } else { "apply" };
    let namespace = it.namespace.as_ref().map(|name| format!(" --namespace {name}")).unwrap_or_default();
    let start = ("start", format!("kubectl {verb} -f FILE"));
    let follow = ("follow", format!("plimsoll collect --from kubernetes/{}{namespace}", it.name));
    let remove = ("remove", "kubectl delete -f FILE".to_owned());
    match it.stays() {
        true => it.heading(&[start, remove]),
        false => it.heading(&[start, follow, remove]),
    }
}

/// Name, namespace and labels of a thing, to stand below `metadata:`.
fn metadata(it: &Distribution, name: &str, component: &str) -> String {
    let namespace = it.namespace.as_ref().map(|name| format!("  namespace: {name}\n")).unwrap_or_default();
    format!("metadata:\n  name: {name}\n{namespace}  labels:\n{}", labels(it, component, 4))
}

fn labels(it: &Distribution, component: &str, indent: usize) -> String {
    let lines = [("name", "plimsoll"), ("instance", &it.name), ("component", component)];
    lines.map(|(key, value)| format!("{:indent$}app.kubernetes.io/{key}: {value}\n", "")).concat()
}

/// The token, the arguments that hold secrets, and the files, which may hold some.
fn secret(it: &Distribution) -> String {
    let mut text = format!(
        "apiVersion: v1\nkind: Secret\n{}type: Opaque\nimmutable: true\nstringData:\n",
        metadata(it, &it.name, "token")
    );
    text += &format!("  token: {}\n", yaml(&it.token));
    for (number, word) in secrets(it) {
        text += &format!("  argument-{number}: {}\n", yaml(word));
    }
    if !it.files.is_empty() {
        text += "data:\n";
    }
    for (number, file) in (1..).zip(&it.files) {
        text += &format!("  # {}\n  file-{number}: {}\n", commented(&file.path), BASE64_STANDARD.encode(&file.content));
    }
    text
}

/// Arguments that hold secrets, with their numbers.
fn secrets(it: &Distribution) -> impl Iterator<Item = (usize, &str)> {
    it.load.iter().enumerate().filter(|(_, word)| word.is_secret).map(|(number, word)| (number, word.text.as_str()))
}

/// The collector of the parts of this name.
pub fn collector_name(name: &str) -> String {
    format!("{name}-collector")
}

/// A Service without an address of its own: parts go to the Pod, and nothing stands between.
fn service(it: &Distribution) -> String {
    format!(
        "apiVersion: v1\nkind: Service\n{}spec:\n  clusterIP: None\n  publishNotReadyAddresses: true\n  selector:\n{}  \
         ports:\n    - name: https\n      port: {PORT}\n",
        metadata(it, &collector_name(&it.name), "collector"),
        labels(it, "collector", 4)
    )
}

fn collector(it: &Distribution) -> String {
    let mut arguments = it.collect();
    arguments.extend(["--record".to_owned(), RECORD.to_owned(), "--hold".to_owned(), plain(it.hold)]);
    let container = Container {
        name: "collector",
        arguments: yaml_list(8, &arguments),
        environment: environment(it, &[("PLIMSOLL_TOKEN", "token")]),
        cpu: "500m",
        memory: "512Mi",
        mounts: &[("record", WORK)],
        directory: Some(WORK),
        volumes: record_volume("4Gi"),
    };
    format!(
        "apiVersion: v1\nkind: Pod\n{}spec:\n{}",
        metadata(it, &collector_name(&it.name), "collector"),
        container.pod_spec(it)
    )
}

/// A part that is lost is not started again: it would come too late. `backoffLimitPerIndex` leaves the others alone,
/// which `backoffLimit: 0` would end.
fn parts(it: &Distribution) -> String {
    let (mounts, directory): (&[(&str, &str)], Option<&str>) = match (it.stays(), it.files.is_empty()) {
        // A part that stays writes nothing.
        (true, _) => (&[], None),
        (false, true) => (&[("record", WORK)], Some(if it.reads_files { LOAD } else { WORK })),
        (false, false) => (&[("record", WORK), ("load", LOAD)], Some(LOAD)),
    };
    let container = Container {
        name: "part",
        arguments: part_arguments(it),
        environment: part_environment(it),
        cpu: &it.share.cpu,
        memory: &it.share.memory,
        mounts,
        directory,
        volumes: if it.stays() { String::new() } else { record_volume("1Gi") + &files(it) },
    };
    let template =
        format!("metadata:\n  labels:\n{}spec:\n{}{}", labels(it, "part", 4), spread(it), container.pod_spec(it));
    format!(
        "apiVersion: batch/v1\nkind: Job\n{}spec:\n  completionMode: Indexed\n  completions: {parts}\n  parallelism: \
         {parts}\n  # A part that is lost is not started again, since it would come too late, and the others go on.\n  \
         backoffLimitPerIndex: 0\n  template:\n{}",
        metadata(it, &it.name, "part"),
        indented(4, &template),
        parts = it.parts
    )
}

/// Parts on nodes of their own, as far as there are enough.
fn spread(it: &Distribution) -> String {
    format!(
        "  # Parts on one node would measure each other.\n  topologySpreadConstraints:\n    - maxSkew: 1\n      \
         topologyKey: kubernetes.io/hostname\n      whenUnsatisfiable: DoNotSchedule\n      \
         nodeTaintsPolicy: Honor\n      labelSelector:\n        matchLabels:\n{}",
        labels(it, "part", 10)
    )
}

/// Kubernetes replaces `$(NAME)` and `$$` in arguments, also where they are meant as they are.
fn part_arguments(it: &Distribution) -> String {
    let word = |(number, word): (usize, &Word)| match word.is_secret {
        true => format!("$(ARGUMENT_{number})"),
        false => word.text.replace('$', "$$"),
    };
    let load = it.load.iter().enumerate().map(word);
    let own = ["--part-index", "$(JOB_COMPLETION_INDEX)", "--record", "/record/part.db"];
    let own = own[..if it.stays() { 2 } else { 4 }].iter().map(|&word| word.to_owned());
    let join = it.join(&collector_name(&it.name));
    yaml_list(8, &load.chain(join).chain(own).collect::<Vec<_>>())
}

fn part_environment(it: &Distribution) -> String {
    let names = secrets(it).map(|(number, _)| (format!("ARGUMENT_{number}"), format!("argument-{number}")));
    let names: Vec<_> = [("PLIMSOLL_TOKEN".to_owned(), "token".to_owned())].into_iter().chain(names).collect();
    environment(it, &names)
}

/// Variables, each with its key in the Secret.
fn environment(it: &Distribution, names: &[(impl fmt::Display, impl fmt::Display)]) -> String {
    let line = |(name, key): &(_, _)| {
        format!(
            "        - name: {name}\n          valueFrom:\n            secretKeyRef:\n              name: {}\n              \
             key: {key}\n",
            it.name
        )
    };
    format!("      env:\n{}", names.iter().map(line).collect::<String>())
}

/// The volume of what is written.
fn record_volume(size: &str) -> String {
    format!("    - name: record\n      emptyDir:\n        sizeLimit: {size}\n")
}

/// The volume of the load's files.
fn files(it: &Distribution) -> String {
    if it.files.is_empty() {
        return String::new();
    }
    let item = |(number, file): (usize, &LoadFile)| {
        format!("          - key: file-{number}\n            path: {}\n", yaml(&file.path))
    };
    let items: String = (1..).zip(&it.files).map(item).collect();
    format!(
        "    - name: load\n      secret:\n        secretName: {}\n        defaultMode: 0440\n        items:\n{items}",
        it.name
    )
}

/// The one container of a Pod.
struct Container<'a> {
    name: &'a str,
    /// A list, indented by 8.
    arguments: String,
    /// With its key, or empty.
    environment: String,
    cpu: &'a str,
    memory: &'a str,
    mounts: &'a [(&'a str, &'a str)],
    /// Where it runs, if not where its image says.
    directory: Option<&'a str>,
    /// A list, indented by 4, or empty.
    volumes: String,
}

impl Container<'_> {
    /// As much as it asks for and no more, so that the node gives it that always (the class Guaranteed): a part that
    /// others slow down measures them.
    fn pod_spec(&self, it: &Distribution) -> String {
        let Self { name, arguments, environment, cpu, memory, .. } = self;
        let directory = self.directory.map(|path| format!("      workingDir: {path}\n")).unwrap_or_default();
        format!(
            "  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: {name}
      image: {image}
      args:
{arguments}{environment}{directory}      resources:
        requests: {{cpu: {cpu}, memory: {memory}}}
        limits: {{cpu: {cpu}, memory: {memory}}}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
{volumes}",
            image = yaml(&it.image),
            volumes = self.volumes(),
        )
    }

    /// Its mounts, and the volumes of its Pod.
    fn volumes(&self) -> String {
        if self.mounts.is_empty() {
            return String::new();
        }
        let mount = |(name, path): &(&str, &str)| format!("        - name: {name}\n          mountPath: {path}\n");
        let mounts: String = self.mounts.iter().map(mount).collect();
        format!("      volumeMounts:\n{mounts}  volumes:\n{}", self.volumes)
    }
}

fn indented(by: usize, text: &str) -> String {
    text.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}
