//! The file cut at `###`, and each request into its parts.

use std::iter;

use super::directives::Directives;
use crate::error::{ImportError, Source};

/// One request of the file.
#[derive(Debug, Default)]
pub(super) struct Block<'a> {
    pub directives: Directives,
    /// The request line and those that go on with it.
    pub request_line: Vec<Line<'a>>,
    /// Name, value, and the byte at which each begins.
    pub headers: Vec<(String, String, usize)>,
    /// Without comments, scripts and empty lines at its end.
    pub body: Vec<Line<'a>>,
    /// Notes about parts that are left out.
    pub notes: Vec<String>,
}

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    /// The byte at which it begins.
    pub at: usize,
    /// 1-based.
    pub number: usize,
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t', '\x0c'])
    }

    /// The text of a comment.
    fn comment(&self) -> Option<&str> {
        let text = self.text.trim_start();
        text.strip_prefix("//").or_else(|| text.strip_prefix('#'))
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').enumerate().map(move |(index, whole)| {
        let line = Line { text: whole.trim_end_matches(['\n', '\r']), at, number: index + 1 };
        at += whole.len();
        line
    })
}

/// The variables of the file, `@name = value`, wherever they stand.
pub(super) fn declarations(text: &str) -> impl Iterator<Item = (String, String)> {
    lines(text).filter_map(|line| declaration(line.text))
}

fn declaration(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim_start().strip_prefix('@')?.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    is_name.then(|| (name.to_owned(), value.trim().to_owned()))
}

/// The requests of the file, one by one; nothing follows an error.
pub(super) fn split(source: Source<'_>) -> impl Iterator<Item = Result<Block<'_>, ImportError>> {
    let mut reader = Reader::new(source);
    let mut lines = lines(source.text);
    let mut is_over = false;
    iter::from_fn(move || {
        while !is_over {
            let Some(line) = lines.next() else {
                is_over = true;
                return reader.finish().transpose();
            };
            match reader.take(line) {
                Ok(None) => {}
                found => {
                    is_over = found.is_err();
                    return found.transpose();
                }
            }
        }
        None
    })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    BeforeRequest,
    RequestLine,
    Headers,
    Body,
    /// After the body nothing but handlers and comments is expected.
    AfterBody,
}

struct Reader<'a> {
    source: Source<'a>,
    block: Block<'a>,
    part: Part,
    /// First line and end mark of a script that has begun.
    script: Option<(Line<'a>, &'static str)>,
    /// The numbers of lines that are comments within a body, if the body goes on after them.
    comments: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(source: Source<'a>) -> Self {
        Self { source, block: Block::default(), part: Part::BeforeRequest, script: None, comments: Vec::new() }
    }

    /// The request that ends before this line, if one does.
    fn take(&mut self, line: Line<'a>) -> Result<Option<Block<'a>>, ImportError> {
        let Some(title) = line.text.strip_prefix("###") else { return self.read(line).map(|()| None) };
        let ended = self.end();
        let title = title.trim_matches(|c: char| c == '#' || c.is_whitespace());
        self.block.directives.name = (!title.is_empty()).then(|| title.to_owned());
        Ok(ended)
    }

    /// The request that ends with the file, if one does.
    fn finish(&mut self) -> Result<Option<Block<'a>>, ImportError> {
        match self.script {
            Some((line, end)) => {
                Err(self.source.error(line.at, format!("this script is not closed: expected `{end}`")))
            }
            None => Ok(self.end()),
        }
    }

    /// The request that has been read, if there is one.
    fn end(&mut self) -> Option<Block<'a>> {
        let mut block = std::mem::take(&mut self.block);
        self.part = Part::BeforeRequest;
        self.comments.clear();
        while block.body.last().is_some_and(Line::is_blank) {
            block.body.pop();
        }
        (!block.request_line.is_empty()).then_some(block)
    }

    fn read(&mut self, line: Line<'a>) -> Result<(), ImportError> {
        if let Some((_, end)) = self.script {
            if line.text.contains(end) {
                self.script = None;
            }
            return Ok(());
        }
        if self.skips(line) {
            return Ok(());
        }
        match self.part {
            Part::BeforeRequest => self.before_request(line)?,
            Part::RequestLine if line.is_blank() => self.part = Part::Body,
            Part::RequestLine if line.is_indented() => self.block.request_line.push(line),
            Part::RequestLine | Part::Headers => self.header(line)?,
            Part::Body => {
                if !line.is_blank() {
                    let comments = self.comments.drain(..);
                    self.block
                        .notes
                        .extend(comments.map(|number| format!("line {number}: a comment within a body is left out")));
                }
                self.block.body.push(line);
            }
            Part::AfterBody if line.is_blank() => {}
            Part::AfterBody => {
                let message = "expected `###` and the next request after a response handler, found this line";
                return Err(self.source.error(line.at, message));
            }
        }
        Ok(())
    }

    /// Comments, scripts and references to responses.
    fn skips(&mut self, line: Line<'a>) -> bool {
        let number = line.number;
        if let Some(comment) = line.comment() {
            self.block.directives.read(comment);
            if self.part == Part::Body && !self.block.body.iter().all(Line::is_blank) {
                self.comments.push(number);
            }
            return true;
        }
        let text = line.text.trim_start();
        if let Some(script) = ["< {%", "<{%", "> {%", ">{%"].into_iter().find(|start| text.starts_with(start)) {
            self.block.notes.push(format!("line {number}: the script is left out: a load runs no JavaScript"));
            self.script = (!text.contains("%}")).then_some((line, "%}"));
            self.after_handler(script.starts_with('>'));
            return true;
        }
        let is_handler = [">> ", ">>! ", "> ", "<> "].into_iter().any(|start| line.text.starts_with(start));
        if is_handler && self.part != Part::BeforeRequest {
            self.block
                .notes
                .push(format!("line {number}: `{}` is left out: a load keeps no responses", line.text.trim()));
            self.after_handler(true);
            return true;
        }
        false
    }

    fn after_handler(&mut self, is_of_response: bool) {
        if is_of_response && self.part != Part::BeforeRequest {
            self.part = Part::AfterBody;
        }
    }

    fn before_request(&mut self, line: Line<'a>) -> Result<(), ImportError> {
        let text = line.text.trim();
        if line.is_blank() || declaration(text).is_some() {
            return Ok(());
        }
        let skipped = ["import ", "run ", "< "].into_iter().find(|start| text.starts_with(start));
        if skipped.is_some() {
            self.block
                .notes
                .push(format!("line {}: `{text}` is left out: only the requests of this file are read", line.number));
            return Ok(());
        }
        if text.starts_with('@') {
            return Err(self.source.error(line.at, format!("expected `@name = value`, found `{text}`")));
        }
        self.block.request_line.push(line);
        self.part = Part::RequestLine;
        Ok(())
    }

    fn header(&mut self, line: Line<'a>) -> Result<(), ImportError> {
        if line.is_blank() {
            self.part = Part::Body;
            return Ok(());
        }
        self.part = Part::Headers;
        if line.is_indented()
            && let Some((_, value, _)) = self.block.headers.last_mut()
        {
            value.push(' ');
            value.push_str(line.text.trim());
            return Ok(());
        }
        let Some((name, value)) = line.text.split_once(':') else {
            let found = line.text.trim();
            let message = format!("expected a header `Name: value`, or an empty line before the body, found `{found}`");
            return Err(self.source.error(line.at, message));
        };
        self.block.headers.push((name.trim().to_owned(), value.trim().to_owned(), line.at));
        Ok(())
    }
}
