//! An experiment file with a secret in every key that can hold one: `{m:key}` is that of the key.

/// Keys that hold names, paths, words and expressions. Those that hold numbers, times and words of a list cannot hold a
/// secret, and are not here.
pub const HARMLESS: &str = "\
    build.jar, build.workdir, claim.claim, claim.says, \
    connection.cacert, connection.cert, connection.connect-to, connection.key, \
    connection.sni, connection.source, connection.unix-socket, experiment.description, experiment.name, \
    experiment.only, experiment.revisions, experiment.thresholds, experiment.title, explain.levels, explain.variants, \
    hook.workdir, service-beside.workdir, file-part.content-type, file-part.file, \
    jmh.benchmarks, jmh.jar, line.slo, matrix.axes, matrix.exclude, matrix.name, metrics.keep, \
    prove.slo, prove.variants, \
    published-conditions.level, published-conditions.variant, published-level.level, published-level.ours, \
    published-level.variant, published-variant.ours, published-variant.variant, published.source, auth.user, \
    generator.listen, generator.token-file, \
    request.captures, request.method, request.name, scenario.name, stage.label, upstream.body-time, \
    upstream.freeze, upstream.latency, upstream.size, upstream.status, variant.extends, variant.jar, \
    variant.jdk, variant.revision, variant.subject, variant.workdir";

/// The file, and those beside it. `{program}` serves at the port that its environment names; `{port}` is that of the
/// proxy, which answers in its place.
pub const FILES: &[(&str, &str)] = &[
    ("login.json", r#"{"user": "ann", "password": "{m:request.body-file}"}"#),
    ("users.csv", "user,password\nann,{m:feeder.file}\n"),
    (
        "trial.yaml",
        r#"# Of the proxy: {m:connection.proxy}.
name: trial
title: The token {m:auth.bearer} is known
description: And so is {m:auth.password}.
variants:
  target:
    command: [sh, -c, 'echo "$@" $0; env; exec {program} target::serve_if_asked_to --exact --nocapture', sh,
      "--spring.datasource.password={m:variant.command}", -Ddb.token={m:variant.command}, --api-key, "{m:variant.command}",
      "http://ann:{m:variant.command}@127.0.0.1:1"]
    env: {PLIMSOLL_TEST_PORT: "{port}", DB_PASSWORD: "{m:variant.env}", JDBC: "jdbc:x://h/d?password={m:variant.env}",
      JAVA_TOOL_OPTIONS: "-Xmx64m -Ddb.password={m:variant.env} -Da=b"}
    ready: "http://127.0.0.1:{port}/ready?token={m:variant.ready}"
    url: "http://127.0.0.1:{port}/?sig={m:variant.url}"
    settings: {api-token: "{m:variant.settings}"}
    before-run: [sh, -c, 'echo "$@"', sh, "--password={m:variant.before-run}"]
    before-level: {command: [sh, -c, 'echo "$@"', sh, "--password={m:hook.command}"]}
    after-run: [sh, -c, 'echo "$@"', sh, "--password={m:variant.after-run}"]
    services:
      db:
        command: [sh, -c, 'echo "$@"; env; exec sleep 60', sh, "--password={m:service-beside.command}"]
        ready: [sh, -c, 'echo "$@"', sh, "--password={m:service-beside.ready}"]
        env: {DB_PASSWORD: "{m:service-beside.env}"}
    metrics: {path: "/metrics?token={m:metrics.path}", keep: [no_such]}
  subject:
    subject: greetings-web
    before-level: [reset, "--password={m:variant.before-level}"]
    jvm-flags: ["-Djavax.net.ssl.keyStorePassword={m:variant.jvm-flags}"]
    properties: {server.ssl.key-store-password: "{m:variant.properties}"}
  image:
    subject: greetings-web
    packaging: native
    native-flags: ["-Ddb.password={m:variant.native-flags}"]
  shop:
    build: {command: [make, "DB_PASSWORD={m:build.command}"], jar: shop.jar}
    arguments: ["--db.password={m:variant.arguments}"]
  benchmarks:
    jmh: {benchmarks: X, params: {password: "{m:jmh.params}"}, args: [-jvmArgs, "-Dtoken={m:jmh.args}"]}
variables: {api-key: "{m:experiment.variables}"}
feeders: {users: {file: users.csv}}
connection: {proxy: "http://ann:{m:connection.proxy}@127.0.0.1:{proxy}"}
steps:
  - {path: "/a?access_token={m:request.path}", auth: {user: ann, password: "{m:auth.password}"}}
  - {path: /b, headers: {X-Api-Key: "{m:request.headers}", X-A: "{{api-key}}", X-B: "{{password}}"}}
  - path: /c
    auth:
      bearer: >-
        {m:auth.bearer}
    json: {user: ann, password: "{m:request.json}", tokens: [a, "{m:request.json}"]}
    checks: ["cookie token != {m:request.checks}"]
  - {path: /d, form: {client_secret: "{m:request.form}"}}
  - {path: /e, multipart: {token: "{m:request.multipart}"}}
  - {path: /f, body: "user=ann&password={m:request.body}"}
  - {path: /g, body-file: login.json}
load: {model: shared-iterations, levels: [1], trace: 7}
rounds: 1
seed: 1
"#,
    ),
];

/// Keys whose secrets the load sends; the others are for the target, or for nobody.
pub const SENT: &[&str] = &[
    "auth.bearer",
    "auth.password",
    "connection.proxy",
    "experiment.variables",
    "feeder.file",
    "request.body",
    "request.body-file",
    "request.form",
    "request.headers",
    "request.json",
    "request.multipart",
    "request.path",
];

/// Keys whose secrets are arguments of the target because the user says so.
pub const ARGUMENTS: &[&str] = &[
    "hook.command",
    "service-beside.command",
    "service-beside.ready",
    "variant.after-run",
    "variant.before-run",
    "variant.command",
];
