//! A few lines on stderr that are written over in place.

use std::io::{IsTerminal, Write, stderr};

use anstyle::{AnsiColor, Style};
use plimsoll_text::printable_line;
use rustix::termios::tcgetwinsize;
use unicode_width::UnicodeWidthStr;

use super::dashboard::{Line, Tone};

const DEFAULT_WIDTH: usize = 80;

/// The part of the terminal below what stays.
pub struct Screen {
    colour: bool,
    /// Widths of the lines that stand there.
    shown: Vec<usize>,
}

impl Screen {
    /// None where nothing can be written over.
    pub fn new(colour: bool) -> Option<Self> {
        (stderr().is_terminal() && !is_dumb()).then_some(Self { colour, shown: Vec::new() })
    }

    /// Columns that a line may take: the last one stays free, since some terminals wrap there.
    pub fn width() -> usize {
        let columns = tcgetwinsize(stderr()).map_or(0, |size| usize::from(size.ws_col));
        if columns == 0 { DEFAULT_WIDTH } else { columns - 1 }
    }

    /// Writes `lines` over those before.
    pub fn draw(&mut self, lines: &[Line]) {
        let mut text = self.erasure();
        self.shown.clear();
        for line in lines {
            let style = self.style(line.tone);
            let shown = printable_line(&line.text);
            text += &format!("{style}{shown}{style:#}\n");
            self.shown.push(shown.width());
        }
        write(&text);
    }

    /// Takes the lines away.
    pub fn clear(&mut self) {
        let erasure = self.erasure();
        self.shown.clear();
        write(&erasure);
    }

    /// The sequence that moves to the start of the lines that stand there, and erases them. A terminal that has become
    /// narrower since shows them on more rows.
    fn erasure(&self) -> String {
        let columns = Self::width() + 1;
        let rows: usize = self.shown.iter().map(|width| width.div_ceil(columns).max(1)).sum();
        if rows == 0 { String::new() } else { format!("\x1b[{rows}F\x1b[J") }
    }

    fn style(&self, tone: Tone) -> Style {
        match tone {
            _ if !self.colour => Style::new(),
            Tone::Plain => Style::new(),
            Tone::Title => Style::new().bold(),
            Tone::Bad => AnsiColor::Red.on_default(),
        }
    }
}

fn write(text: &str) {
    let mut stderr = stderr().lock();
    // Nobody may read it: that is no reason to end a measurement.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
/// Whether the terminal obeys no control sequences.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
