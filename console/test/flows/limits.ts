// The bounds of flows. None of them is a time that a flow waits for: only what hangs reaches them, also on a machine that is
// ten times slower.

/** The bound of every wait. */
export const HANG_MS = 240_000;
/** The bound of a whole flow. It is longer, so that a wait that hangs says what it waited for. */
export const HANG_FLOW_MS = 300_000;
/** The bound of a flow that does very much: on a busy machine it takes some minutes. */
export const HANG_LONG_FLOW_MS = 900_000;
