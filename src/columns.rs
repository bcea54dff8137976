//! Text in the columns of a terminal, of which some letters take two and others none.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text in at most `width` columns, with an ellipsis for what is cut off.
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fitting = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= width
    });
    fitting.collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_and_not_letters() {
        assert_eq!(cut("가나다라", 6), "가나…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
    }
}
