//! Bytes for people: text as text, anything else as a hex dump, and not without end.

use plimsoll_text::counted;

/// Most bytes shown of a body; a head is shown whole.
const BODY_MAX: usize = 4_096;
const HEX_MAX: usize = 512;
const HEX_COLUMNS: usize = 16;

/// An HTTP/1.1 message: head and body, each line after `mark`. Other bytes are shown as a body; `more` came after them.
pub fn message(bytes: &[u8], more: u64, mark: &str) -> String {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|start| start + 4);
    let end = end.filter(|&end| is_text(&bytes[..end]));
    let (head, body) = bytes.split_at(end.unwrap_or(0));
    let mut text = lines(&String::from_utf8_lossy(head), mark);
    if is_text(body) {
        let shown = &body[..body.len().min(BODY_MAX)];
        text += &lines(&String::from_utf8_lossy(shown), mark);
        text += &rest((body.len() - shown.len()) as u64 + more, mark);
    } else {
        let shown = &body[..body.len().min(HEX_MAX)];
        shown.chunks(HEX_COLUMNS).enumerate().for_each(|(row, bytes)| text += &hex(row, bytes, mark));
        text += &rest((body.len() - shown.len()) as u64 + more, mark);
    }
    text
}

fn is_text(bytes: &[u8]) -> bool {
    let is_plain = |c: char| !c.is_control() || matches!(c, '\r' | '\n' | '\t');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_plain))
}

fn lines(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark} {line}").trim_end().to_owned() + "\n").collect()
}

fn rest(bytes: u64, mark: &str) -> String {
    if bytes == 0 { String::new() } else { format!("{mark} … and {} more\n", counted(bytes, "byte")) }
}

fn hex(row: usize, bytes: &[u8], mark: &str) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let printable = |&byte: &u8| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { '.' };
    let text: String = bytes.iter().map(printable).collect();
    format!("{mark} {:08x}  {:<47}  {text}\n", row * HEX_COLUMNS, digits.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_as_text() {
        let shown = message("HTTP/1.1 200 OK\r\nA: b\r\n\r\n안녕\nyou".as_bytes(), 0, "<");
        assert_eq!(shown, "< HTTP/1.1 200 OK\n< A: b\n<\n< 안녕\n< you\n");
    }

    #[test]
    fn binary_is_shown_as_hex_after_a_head_that_is_text() {
        let shown = message(b"HTTP/1.1 200 OK\r\n\r\n\x00\x01ab\xff", 0, "<");
        let expected = format!("< 00000000  {:<47}  ..ab.\n", "00 01 61 62 ff");
        assert!(shown.starts_with("< HTTP/1.1 200 OK\n<\n") && shown.ends_with(&expected), "{shown}");
    }

    #[test]
    fn long_bodies_are_cut() {
        let text = message(&[b"x".repeat(5_000)].concat(), 0, ">");
        assert!(text.ends_with("> … and 904 bytes more\n"), "{text}");
        assert!(message(&[0; 600], 12, ">").ends_with("> … and 100 bytes more\n"));
    }
}
