//! The ways in: each flag of `plimsoll load`, and each import, that can hold a secret. `{m}` is the secret, `{port}` is
//! the port of the server.

/// Flags whose values hold numbers, times, names, formats and paths.
pub const HARMLESS: &str = "\
    collect --deadline, collect --from, collect --hold, collect --listen, collect --namespace, collect --output, \
    collect --parts, collect --record, collect --silence, collect --threshold, collect --token-file, \
    load --deadline, load --join, load --part, load --part-index, load --token-file, \
    line --listen, line --parts, line --silence, serve-part --deadline, serve-part --join, \
    serve-part --part, serve-part --part-index, serve-part --token-file, \
    distribute --cpu, distribute --deadline, distribute --hold, distribute --image, distribute --memory, \
    distribute --name, distribute --namespace, distribute --on, distribute --parts, \
    baseline --record, compare --output, compare --record, compare --tolerance, load --baseline, load --tolerance, \
    run --baseline, run --tolerance, trend --last, trend --output, trend --record, \
    load --body-file, load --cacert, load --cert, load --connect-timeout, load --connect-to, load --connections, \
    load --content-type, load --dns, load --duration, load --env, load --har-host, load --idle-time, \
    load --import-root, load --key, load --max-in-flight, \
    load --max-requests-per-connection, load --method, load --operation, load --per-vu, \
    load --prometheus, load --ramp-up, load --rate, load --record, load --redirects, load --request, load \
    --requests, load --reuse, load --seed, load --segment, load --sni, load --source, load --stage, \
    load --start-at, load --streams, load --think-time, \
    load --threads, load --threshold, load --timeout, load --tls-max, load \
    --tls-min, load --trace, load --unix-socket, load --output, line --at-least, line --at-most, line --from, \
    line --resolution, line --pid, line --slo, line --to, line --warm-up, explain --max-users, \
    explain --pid, explain --warm-up, init --output, merge --format, merge --record, report \
    --format, report --output, report --record, list --record, run --output, run --only, run --pace, run \
    --record, run --rounds, run --seed, run --slo, run --think-time, run --users, serve --port, upstream \
    --announced-idle-time, upstream --backlog, upstream --bind, \
    upstream --body-time, upstream --certificates, upstream --config, upstream --freeze, upstream --idle-time, \
    upstream --interval, upstream --latency, upstream --max-connections, upstream --max-requests-per-connection, \
    upstream --port, upstream --seed, upstream --servers, upstream --size, upstream --status, upstream --threads";

/// A load with a secret in it.
pub struct Way {
    /// The flag, as [`HARMLESS`] names the others; the same for several ways.
    pub flag: &'static str,
    /// Beside `load -n 1 -c 1`.
    pub arguments: &'static [&'static str],
    /// Files beside them.
    pub files: &'static [(&'static str, &'static str)],
    /// Sent to the target: no mask may change the load.
    pub sent: &'static str,
}

const fn way(flag: &'static str, arguments: &'static [&'static str], sent: &'static str) -> Way {
    Way { flag, arguments, files: &[], sent }
}

const URL: &str = "http://127.0.0.1:{port}/x";

pub const WAYS: &[Way] = &[
    way("load --user", &[URL, "-u", "ann:{m}"], "ann:{m}"),
    way("load --user", &[URL, "-uann:{m}"], "ann:{m}"),
    way("load --user", &[URL, "--user=ann:{m}"], "ann:{m}"),
    way("load --user", &[URL, "-u", "ann:p@s s/{m}"], "ann:p@s s/{m}"),
    way("load --bearer", &[URL, "--bearer", "{m}"], "Authorization: Bearer {m}"),
    way("load --header", &[URL, "-H", "Authorization: Bearer {m}"], "Authorization: Bearer {m}"),
    way("load --header", &[URL, "-Hauthorization:{m}"], "authorization: {m}"),
    way("load --header", &[URL, "-H", "Proxy-Authorization: Digest {m}"], "Proxy-Authorization: Digest {m}"),
    way("load --header", &[URL, "-H", "Cookie: lang=en; sid={m}"], "Cookie: lang=en; sid={m}"),
    way("load --header", &[URL, "-H", "X-Api-Key: {m}"], "X-Api-Key: {m}"),
    way("load --header", &[URL, "-H", "apikey: {m}"], "apikey: {m}"),
    way("load --header", &[URL, "-H", "X-ApiKey: {m}"], "X-ApiKey: {m}"),
    way("load --header", &[URL, "-H", "Ocp-Apim-Subscription-Key: {m}"], "Ocp-Apim-Subscription-Key: {m}"),
    way("load --header", &[URL, "-H", "X-Auth: {m}"], "X-Auth: {m}"),
    way("load --header", &[URL, "-H", "X-Password: {m}"], "X-Password: {m}"),
    way("load --header", &[URL, "-H", "X-Session-Id: {m}"], "X-Session-Id: {m}"),
    way("load --header", &[URL, "-H", "X-Token: {m}-{{$vu}}"], "X-Token: {m}-1"),
    way("load URL", &["http://127.0.0.1:{port}/x?a=b&access_token={m}"], "/x?a=b&access_token={m}"),
    way("load URL", &["127.0.0.1:{port}/x?api_key={m}&a=b"], "/x?api_key={m}&a=b"),
    way("load URL", &["http://127.0.0.1:{port}/x?password={m}"], "/x?password={m}"),
    way("load URL", &["http://127.0.0.1:{port}/x?sig={m}%2B"], "/x?sig={m}%2B"),
    way("load --proxy", &[URL, "--proxy", "http://ann:{m}@127.0.0.1:{port}"], "ann:{m}"),
    way("load --proxy", &[URL, "-xhttp://ann:{m}@127.0.0.1:{port}"], "ann:{m}"),
    way("load --otlp", &[URL, "--otlp", "http://ann:{m}@127.0.0.1:{port}"], "ann:{m}"),
    way("load --otlp", &[URL, "--otlp", "http://127.0.0.1:{port}/v1/metrics?token={m}"], "/v1/metrics?token={m}"),
    way("load --body", &[URL, "-d", "user=ann&password={m}"], "user=ann&password={m}"),
    way("load --body", &[URL, "-d", "<login><password>{m}</password></login>"], "<password>{m}</password>"),
    way("load --json", &[URL, "--json", r#"{"login": {"user": "ann", "password": "{m}"}}"#], r#""password": "{m}""#),
    way("load --json", &[URL, "--json", r#"{"tokens": ["a", "{m}"]}"#], r#"["a", "{m}"]"#),
    way("load --form", &[URL, "--form", "client_secret={m}"], "client_secret={m}"),
    way("load --multipart", &[URL, "--multipart", "token={m}"], "{m}"),
    way(
        "load --check",
        &[URL, "-H", "X-A: {m}", "--check", "header X-Api-Key absent", "--check", "cookie token != {m}"],
        "{m}",
    ),
    Way {
        files: &[("body.json", r#"{"password": "{m}"}"#)],
        ..way("load FILE", &[URL, "-D", "body.json"], r#"{"password": "{m}"}"#)
    },
    way("load CURL", &["curl -u ann:{m} http://127.0.0.1:{port}/x"], "ann:{m}"),
    way("load CURL", &["curl http://ann:{m}@127.0.0.1:{port}/x"], "ann:{m}"),
    way("load CURL", &["curl 'http://127.0.0.1:{port}/x?token={m}'"], "/x?token={m}"),
    way("load CURL", &["curl -H 'Authorization: Bearer {m}' http://127.0.0.1:{port}/x"], "Bearer {m}"),
    way("load CURL", &["curl --oauth2-bearer {m} http://127.0.0.1:{port}/x"], "Bearer {m}"),
    way("load CURL", &["curl -b 'sid={m}' http://127.0.0.1:{port}/x"], "sid={m}"),
    way("load CURL", &["curl --data-raw 'password={m}' http://127.0.0.1:{port}/x"], "password={m}"),
    way("load CURL", &["curl -F 'secret={m}' http://127.0.0.1:{port}/x"], "{m}"),
    way("load CURL", &["curl -x http://ann:{m}@127.0.0.1:{port} http://127.0.0.1:{port}/x"], "ann:{m}"),
    Way {
        files: &[("a.http", "GET http://127.0.0.1:{port}/x\nAuthorization: Bearer {m}\n")],
        ..way("load --http", &["--http", "a.http"], "Bearer {m}")
    },
    Way {
        files: &[("a.http", "@password = {m}\n### a\nGET http://127.0.0.1:{port}/x\nX-A: {{password}}\n")],
        ..way("load --http", &["--http", "a.http"], "X-A: {m}")
    },
    Way {
        files: &[
            ("a.http", "GET http://127.0.0.1:{port}/x?q={{key.api-token}}\n"),
            ("http-client.private.env.json", r#"{"dev": {"key": {"api-token": "{m}"}}}"#),
        ],
        ..way("load --http", &["--http", "a.http", "--env", "dev"], "/x?q={m}")
    },
    Way {
        files: &[(
            "a.har",
            r#"{"log": {"entries": [{"request": {"method": "POST", "url": "http://127.0.0.1:{port}/x",
                "headers": [{"name": "Authorization", "value": "Bearer {m}"}]}}]}}"#,
        )],
        ..way("load --har", &["--har", "a.har"], "Bearer {m}")
    },
    Way {
        files: &[(
            "a.har",
            r#"{"log": {"entries": [{"request": {"method": "POST", "url": "http://127.0.0.1:{port}/x", "headers": [],
                "postData": {"mimeType": "application/json", "text": "{\"password\": \"{m}\"}"}}}]}}"#,
        )],
        ..way("load --har", &["--har", "a.har"], r#"{"password": "{m}"}"#)
    },
    Way {
        files: &[(
            "a.yaml",
            "openapi: 3.0.3\npaths: {/x: {get: {operationId: a, parameters: [\
             {name: X-Api-Key, in: header, required: true, example: \"{m}\"}]}}}\n",
        )],
        ..way("load --openapi", &["--openapi", "a.yaml", "--operation", "a", "http://127.0.0.1:{port}"], "{m}")
    },
    Way {
        files: &[("a.yaml", "# the token is {m}\nrequest: {path: /x, auth: {bearer: \"{m}\"}}\n")],
        ..way("load --file", &["http://127.0.0.1:{port}", "-f", "a.yaml"], "Bearer {m}")
    },
    Way {
        files: &[
            ("users.csv", "user,password\nann,{m}\n"),
            ("a.yaml", "feeders: {users: {file: users.csv}}\nrequest: {path: \"/x?q={{password}}\"}\n"),
        ],
        ..way("load --file", &["http://127.0.0.1:{port}", "-f", "a.yaml"], "/x?q={m}")
    },
];

/// Loads that are refused: what is wrong is said without the secret.
pub const REFUSED: &[Way] = &[
    way("load --user", &[URL, "-ku", "ann:{m}"], ""),
    way("load --user", &[URL, "-kuann:{m}"], ""),
    way("load URL", &["http://ann:{m}@127.0.0.1:{port}/"], ""),
    way("load URL", &["ann:{m}@127.0.0.1:{port}"], ""),
    way("load URL", &["ftp://127.0.0.1:{port}/?token={m}", "--no-such-flag"], ""),
    way("load --otlp", &[URL, "--otlp", "https://ann:{m}@127.0.0.1:{port}"], ""),
    way("load --proxy", &[URL, "-x", "https://ann:{m}@127.0.0.1:{port}"], ""),
    way("load --proxy", &[URL, "-x", "http://ann:{m}@127.0.0.1:{port}/path"], ""),
    way("load --header", &[URL, "-H", "X Token: {m}"], ""),
    way("load --json", &[URL, "--json", r#"{"password": "{m}""#], ""),
    way("load --bearer", &[URL, "--bearer={m}", "-u", "ann:{m}"], ""),
    way("load URL", &["curl --pass {m} http://127.0.0.1:{port}/"], ""),
    way("load URL", &["curl http://127.0.0.1:{port}/ -H 'Authorization: Bearer {m}"], ""),
    way("load URL", &[URL, "--password", "{m}"], ""),
    Way {
        files: &[("a.yaml", "request: {auth: {bearer: \"{m}\"\n  x\n")],
        ..way("load --file", &[URL, "-f", "a.yaml"], "")
    },
    Way {
        files: &[("a.yaml", "request: {auth: {bearer: {token: {m}}}}\n")],
        ..way("load --file", &[URL, "-f", "a.yaml"], "")
    },
    Way {
        files: &[("a.http", "GET http://127.0.0.1:{port}/\nAuthorization: Bearer {m}\n{m}\n")],
        ..way("load --http", &["--http", "a.http"], "")
    },
    Way {
        files: &[("a.har", r#"{"log": {"entries": [{"request": {"headers": [{"name": "Cookie", "value": "{m}"}],, "#)],
        ..way("load --har", &["--har", "a.har"], "")
    },
    Way {
        files: &[("a.http", "GET http://h/\n"), ("http-client.env.json", r#"{"dev": {"password": "{m}", }}"#)],
        ..way("load --http", &["--http", "a.http"], "")
    },
];

/// Settings with a secret, which are not proven since proofs show them: `NAME=VALUE` of `run --with`, and
/// `NAME: [VALUE]` of `prove.with`.
pub const UNPROVEN: &[[&str; 2]] = &[
    ["db.password", "{m}"],
    ["api.key", "{m}-{m}"],
    ["spring.datasource.url", "jdbc:x://h/d?password={m}"],
    ["JAVA_TOOL_OPTIONS", "-Ddb.password={m}"],
];
