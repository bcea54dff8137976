//! Sections of documents that are not about one execution.

use maud::Markup;

use super::block::Block;

/// A section, with its blocks and with charts for pages.
pub struct Part {
    /// Unique within a page.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Its blocks; without any it is left out.
    pub blocks: Vec<Block>,
    /// Charts above the blocks, for renderers that can draw.
    pub charts: Vec<Markup>,
}
