//! The record's file.
