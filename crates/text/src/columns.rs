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

/// The text with spaces after it, up to `width` columns.
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.width()))
}

/// Columns of the widest of some texts; 0 without any.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_and_not_letters() {
        assert_eq!(cut("가나다라", 6), "가나…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!((padded("주문", 6), padded("abc", 2)), ("주문  ".to_owned(), "abc".to_owned()));
        assert_eq!(widest(["주문", "abc"]), 4);
    }
}
