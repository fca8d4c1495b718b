/** The most objects that one review writes. The server takes as many in one batch. */
export const MAX_STEPS = 10_000;
