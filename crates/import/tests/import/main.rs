//! What the importers make of samples in the style of the real things, and that nothing makes them panic.

mod golden;
mod hostile;
mod render;
