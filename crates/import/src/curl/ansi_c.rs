//! bash's `$'…'`, which browsers use for text with quotes or line breaks.

/// The bytes up to the closing quote, and where in `text` that is; none if there is no closing quote.
pub(super) fn unquote(text: &str) -> Option<(Vec<u8>, usize)> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    loop {
        match *bytes.get(at)? {
            b'\'' => return Some((out, at)),
            b'\\' => at += 1 + escape(&bytes[at + 1..], &mut out)?,
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// Appends what the escape stands for; returns how many bytes it took after the backslash.
fn escape(rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let first = *rest.first()?;
    let simple = match first {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 0x07,
        b'b' => 0x08,
        b'e' | b'E' => 0x1b,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'\\' | b'\'' | b'"' | b'?' => first,
        b'x' => return Some(1 + number(&rest[1..], 16, 2, out, push_byte)),
        b'u' => return Some(1 + utf16(&rest[1..], out)),
        b'U' => return Some(1 + number(&rest[1..], 16, 8, out, push_char)),
        b'0'..=b'7' => return Some(number(rest, 8, 3, out, push_byte)),
        other => {
            // Unknown escapes stay as they are; the rest of a longer character follows by itself.
            out.extend([b'\\', other]);
            return Some(1);
        }
    };
    out.push(simple);
    Some(1)
}

fn number(digits: &[u8], radix: u32, most: usize, out: &mut Vec<u8>, push: fn(u32, &mut Vec<u8>)) -> usize {
    let (count, value) = value_of(digits, radix, most);
    push(value, out);
    count
}

/// A character, or one of two UTF-16 units, as browsers write those beyond the first 65,536.
fn utf16(digits: &[u8], out: &mut Vec<u8>) -> usize {
    let (count, value) = value_of(digits, 16, 4);
    let next = digits[count..].strip_prefix(b"\\u").filter(|_| (0xd800..0xdc00).contains(&value));
    let low = next.map(|rest| value_of(rest, 16, 4)).filter(|(_, low)| (0xdc00..0xe000).contains(low));
    match low {
        Some((more, low)) => {
            push_char(0x1_0000 + ((value - 0xd800) << 10) + (low - 0xdc00), out);
            count + 2 + more
        }
        None => {
            push_char(value, out);
            count
        }
    }
}

/// How many digits there are, `most` at most, and their value.
fn value_of(digits: &[u8], radix: u32, most: usize) -> (usize, u32) {
    let digits = digits.iter().take(most).map_while(|&byte| char::from(byte).to_digit(radix));
    digits.fold((0, 0), |(count, value), digit| (count + 1, value * radix + digit))
}

fn push_byte(value: u32, out: &mut Vec<u8>) {
    // Three octal digits can be more than a byte; bash drops what is too much.
    out.push((value & 0xff) as u8);
}

fn push_char(value: u32, out: &mut Vec<u8>) {
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}
