//! Text with `{{…}}` in it.

use base64::{Engine, prelude::BASE64_STANDARD};

use super::{
    builtin::Context,
    scope::{Binding, Scope, Value},
};

/// Bytes that constants may fill in at one place: constants that hold others twice double from each to the next.
const CONSTANTS_MAX: usize = 1 << 20;
/// Bytes that values may fill in for one request, and for the variables of an iteration.
pub(crate) const FILLED_MAX: usize = 16 << 20;

/// Text whose gaps are filled in anew for each request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
    /// Bytes that constants have filled in.
    folded: usize,
}

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Value(Value, Escape),
    Base64(Template),
}

/// Escaping of a value where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// As it is.
    None,
    /// As a part of a URL's path or query: all but letters, digits and `-._~` as `%xx`.
    Url,
    /// The same with `+` for a space.
    Form,
    /// Within a string of JSON.
    Json,
    /// Without characters that end a header.
    Header,
}

/// Part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Segment<'a> {
    Text(&'a str),
    Name(&'a str),
}

impl Template {
    /// A text that has been read in `scope`: gaps that are constant there are filled in.
    pub fn new(text: &str, escape: Escape, scope: &Scope) -> Result<Self, String> {
        let mut template = Self::default();
        template.push(text, escape, scope)?;
        Ok(template)
    }

    /// A URL, or a part of one. A value at its very beginning is taken as it is: it may be a URL itself.
    pub fn url(text: &str, scope: &Scope) -> Result<Self, String> {
        let mut template = Self::default();
        for (index, segment) in segments(text)?.into_iter().enumerate() {
            template.push_segment(segment, if index == 0 { Escape::None } else { Escape::Url }, scope)?;
        }
        Ok(template)
    }

    /// Text of JSON: values within its strings are escaped, others stand for themselves.
    pub fn json(text: &str, scope: &Scope) -> Result<Self, String> {
        let mut template = Self::default();
        let mut is_in_string = false;
        for segment in segments(text)? {
            if let Segment::Text(text) = segment {
                is_in_string = ends_in_string(text, is_in_string);
            }
            template.push_segment(segment, if is_in_string { Escape::Json } else { Escape::None }, scope)?;
        }
        Ok(template)
    }

    /// Appends a text, gaps escaped.
    pub fn push(&mut self, text: &str, escape: Escape, scope: &Scope) -> Result<(), String> {
        segments(text)?.into_iter().try_for_each(|segment| self.push_segment(segment, escape, scope))
    }

    /// Appends a text, all of it escaped.
    pub fn push_escaped(&mut self, text: &str, escape: Escape, scope: &Scope) -> Result<(), String> {
        for segment in segments(text)? {
            match segment {
                Segment::Text(text) => self.push_bytes(escape.apply(text).as_bytes()),
                name @ Segment::Name(_) => self.push_segment(name, escape, scope)?,
            }
        }
        Ok(())
    }

    /// Appends a text in base64.
    pub fn push_base64(&mut self, template: Self) {
        match template.constant() {
            Some(bytes) => self.push_bytes(BASE64_STANDARD.encode(bytes).as_bytes()),
            None => self.pieces.push(Piece::Base64(template)),
        }
    }

    fn push_segment(&mut self, segment: Segment<'_>, escape: Escape, scope: &Scope) -> Result<(), String> {
        match segment {
            Segment::Text(text) => self.push_bytes(text.as_bytes()),
            Segment::Name(name) => match scope.binding(name)? {
                Binding::Constant(text) => {
                    self.folded += text.len();
                    if self.folded > CONSTANTS_MAX || !scope.takes(text.len()) {
                        return Err(too_many_constants(name));
                    }
                    self.push_bytes(escape.apply(&text).as_bytes());
                }
                Binding::Varying(value) => self.pieces.push(Piece::Value(value, escape)),
            },
        }
        Ok(())
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) {
        match self.pieces.last_mut() {
            Some(Piece::Bytes(last)) => last.extend_from_slice(bytes),
            _ if bytes.is_empty() => {}
            _ => self.pieces.push(Piece::Bytes(bytes.to_vec())),
        }
    }

    /// The text, if it has no gaps.
    pub fn constant(&self) -> Option<&[u8]> {
        match self.pieces.as_slice() {
            [] => Some(b""),
            [Piece::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// The text with `filling` in all gaps.
    pub fn filled_with(&self, filling: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Piece::Value(..) | Piece::Base64(_) => filling.to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Whether `bytes` occur in what does not vary.
    pub fn contains(&self, bytes: &[u8]) -> bool {
        let has = |text: &[u8]| text.windows(bytes.len()).any(|window| window == bytes);
        self.pieces.iter().any(|piece| matches!(piece, Piece::Bytes(text) if has(text)))
    }

    /// The variables in it.
    pub fn variables(&self) -> Vec<usize> {
        let of = |piece: &Piece| match piece {
            Piece::Value(Value::Variable(index), _) => vec![*index],
            Piece::Base64(template) => template.variables(),
            Piece::Value(Value::Builtin(_), _) | Piece::Bytes(_) => Vec::new(),
        };
        self.pieces.iter().flat_map(of).collect()
    }

    /// Fills the gaps. What values fill in is taken off the bytes that are `left`; an error if they do not suffice.
    pub fn render(&self, context: &mut Context<'_>, left: &mut usize) -> Result<Vec<u8>, String> {
        let mut output = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => output.extend_from_slice(bytes),
                Piece::Value(value, escape) => {
                    let before = output.len();
                    value.write(*escape, context, &mut output);
                    *left = left.checked_sub(output.len() - before).ok_or_else(too_much)?;
                }
                Piece::Base64(template) => {
                    output.extend_from_slice(BASE64_STANDARD.encode(template.render(context, left)?).as_bytes());
                }
            }
        }
        Ok(output)
    }

    /// Fills the gaps of what is text throughout.
    pub fn render_text(&self, context: &mut Context<'_>, left: &mut usize) -> Result<String, String> {
        let bytes = self.render(context, left)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

fn too_many_constants(name: &str) -> String {
    format!(
        "with `{{{{{name}}}}}` the values of variables fill in more than 1 MiB here, or 64 MiB in all: \
         shorten them; where one variable holds another twice, they grow fast"
    )
}

fn too_much() -> String {
    "the values of variables fill in more than 16 MiB: shorten them, or capture less".to_owned()
}

impl Value {
    fn write(self, escape: Escape, context: &mut Context<'_>, output: &mut Vec<u8>) {
        match self {
            Self::Variable(index) => output.extend_from_slice(escape.apply(&context.user.values[index]).as_bytes()),
            Self::Builtin(builtin) => {
                let mut text = String::new();
                builtin.write(context, &mut text);
                output.extend_from_slice(escape.apply(&text).as_bytes());
            }
        }
    }
}

impl Escape {
    fn apply(self, text: &str) -> std::borrow::Cow<'_, str> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        match self {
            Self::None => text.into(),
            Self::Header if !text.bytes().any(|byte| byte.is_ascii_control()) => text.into(),
            Self::Header => text.replace(|c: char| c.is_ascii_control(), " ").into(),
            Self::Json => json_string(text).into(),
            Self::Url | Self::Form if text.bytes().all(is_plain) => text.into(),
            Self::Url | Self::Form => {
                let mut escaped = String::with_capacity(text.len() * 3);
                for byte in text.bytes() {
                    match byte {
                        b' ' if self == Self::Form => escaped.push('+'),
                        byte if is_plain(byte) => escaped.push(byte as char),
                        byte => escaped.push_str(&format!("%{byte:02X}")),
                    }
                }
                escaped.into()
            }
        }
    }
}

/// Text between the quotes.
fn json_string(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn ends_in_string(text: &str, begins_in_string: bool) -> bool {
    let mut is_in_string = begins_in_string;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            // Any escaped character.
            b'\\' if is_in_string => drop(bytes.next()),
            _ => {}
        }
    }
    is_in_string
}

/// Cuts a text at its gaps. `\{{` stands for `{{` itself.
fn segments(text: &str) -> Result<Vec<Segment<'_>>, String> {
    let mut segments = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        if let Some(before) = rest[..at].strip_suffix('\\') {
            segments.extend([Segment::Text(before), Segment::Text("{{")]);
            rest = &rest[at + 2..];
            continue;
        }
        let inner = &rest[at + 2..];
        let Some(end) = inner.find("}}") else {
            let shown: String = rest[at..].chars().take(30).collect();
            return Err(format!("`{shown}` is never closed: add `}}}}`, or write `\\{{{{` if the braces are meant"));
        };
        segments.extend([Segment::Text(&rest[..at]), Segment::Name(inner[..end].trim())]);
        rest = &inner[end + 2..];
    }
    segments.push(Segment::Text(rest));
    segments.retain(|segment| *segment != Segment::Text(""));
    Ok(segments)
}

#[cfg(test)]
mod tests;
