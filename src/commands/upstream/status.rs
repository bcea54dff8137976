//! Text for people: its address, and its counts.

use anstyle::{AnsiColor, Style};
use plimsoll_record::{UpstreamCounts, UpstreamPlan, UpstreamReady};
use plimsoll_text::{count, number::sig3, printable_line};

/// The text for when it accepts connections.
pub fn greeting(plan: &UpstreamPlan, ready: &UpstreamReady) -> String {
    let style =
        if super::super::style_of_stdout(true).colour { AnsiColor::Green.on_default().bold() } else { Style::new() };
    let mut text =
        format!("{style}Upstream{style:#} {}\n", printable_line(&format!("{}   {}", ready.url, plan.description())));
    for (what, path) in
        [("authority", &ready.ca), ("client certificate", &ready.client_cert), ("its key", &ready.client_key)]
    {
        if let Some(path) = path {
            text += &format!("  {what:<18}  {}\n", printable_line(path));
        }
    }
    text += &format!("  try it              {}\n", printable_line(&example(ready)));
    text += "  Ctrl-C ends it and says what it counted.\n";
    text
}

fn example(ready: &UpstreamReady) -> String {
    let flags = [("--cacert", &ready.ca), ("--cert", &ready.client_cert), ("--key", &ready.client_key)];
    let flags = flags.iter().filter_map(|(flag, path)| path.as_ref().map(|path| format!(" {flag} {path}")));
    format!("curl -i{} {}/", flags.collect::<String>(), ready.url)
}

/// The text for its end.
pub fn summary(plan: &UpstreamPlan, counts: &UpstreamCounts) -> String {
    let mut lines = vec![
        ("requests", count(counts.requests), rate(counts)),
        ("connections", count(counts.connections_opened), format!("{} still open", count(counts.connections_open))),
    ];
    if counts.connections_opened > 0 {
        let mean = counts.requests as f64 / counts.connections_opened as f64;
        let most = format!("at most {}", count(counts.requests_per_connection_max));
        lines.push(("requests/connection", sig3(mean), most));
    }
    if plan.tls.is_some() {
        let details = format!("{} resumed, {} failed", count(counts.tls_resumed), count(counts.tls_failed));
        lines.push(("TLS handshakes", count(counts.tls_handshakes), details));
    }
    lines.push(("resets", count(counts.resets), String::new()));
    lines.push(("at the end", count(counts.in_service), format!("in service, {} waiting", count(counts.waiting))));
    let rows =
        lines.iter().map(|(what, value, more)| format!("  {what:<20}{value:>12}   {more}").trim_end().to_owned());
    format!("\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

fn rate(counts: &UpstreamCounts) -> String {
    let seconds = counts.at.as_secs_f64();
    format!("{}/s over {}", sig3(counts.requests as f64 / seconds.max(1e-9)), counts.at)
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Nanos, UpstreamTls};

    use super::*;

    #[test]
    fn what_clients_need_is_said() {
        let plan = UpstreamPlan { tls: Some(UpstreamTls::default()), ..UpstreamPlan::default() };
        let ready = UpstreamReady {
            url: "https://127.0.0.1:9000".to_owned(),
            ca: Some("/x/ca.pem".to_owned()),
            ..UpstreamReady::default()
        };
        let text = greeting(&plan, &ready);
        assert!(text.contains("https://127.0.0.1:9000   no latency, TLS"), "{text}");
        assert!(text.contains("curl -i --cacert /x/ca.pem https://127.0.0.1:9000/"), "{text}");
        assert!(!text.contains("its key"), "{text}");
    }

    #[test]
    fn the_summary_has_no_tls_without_tls() {
        let counts = UpstreamCounts {
            at: Nanos::from_secs(10),
            connections_opened: 4,
            connections_open: 1,
            requests: 12_345,
            requests_per_connection_max: 9_000,
            resets: 2,
            ..UpstreamCounts::default()
        };
        let text = summary(&UpstreamPlan::default(), &counts);
        assert!(text.contains("12,345   1,230/s over 10.0 s") && text.contains("3,090   at most 9,000"), "{text}");
        assert!(!text.contains("TLS"), "{text}");
        let tls = UpstreamPlan { tls: Some(UpstreamTls::default()), ..UpstreamPlan::default() };
        assert!(summary(&tls, &UpstreamCounts::default()).contains("0 resumed, 0 failed"));
    }
}
