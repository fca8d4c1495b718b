// The addresses of parts. Pure.

/** A part has no id: its page shows every part with the serial number, which is nearly always one. */
export const partPath = (serial: string): string => `/parts/${encodeURIComponent(serial)}`;
