//! Importers read samples in the style of real files, and no input makes them panic.

mod golden;
mod hostile;
mod render;
