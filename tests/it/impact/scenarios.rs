//! What a network engineer expects.
