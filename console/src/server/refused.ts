// Errors of the API, and the one table of what the page does about each code.

export class Refused extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly extensions: Record<string, unknown>;

  constructor(code: string, message: string, extensions: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
    this.field = typeof extensions.field === 'string' ? extensions.field : undefined;
  }
}

/** `retry`: try again later by itself. `at-field`: show at the field. `sign-in`: ask for a token. `reload`: read anew. */
export type Remedy = 'retry' | 'at-field' | 'sign-in' | 'reload' | 'say';

const REMEDIES: Record<string, { remedy: Remedy; title: string }> = {
  UNAUTHENTICATED: { remedy: 'sign-in', title: 'The server wants a token' },
  FORBIDDEN: { remedy: 'say', title: 'Not allowed' },
  NOT_FOUND: { remedy: 'say', title: 'Not found' },
  INVALID: { remedy: 'at-field', title: 'Not valid' },
  IMMUTABLE: { remedy: 'at-field', title: 'Cannot be changed' },
  AMBIGUOUS: { remedy: 'at-field', title: 'More than one object fits' },
  DUPLICATE: { remedy: 'at-field', title: 'Exists already' },
  IN_USE: { remedy: 'at-field', title: 'Still in use' },
  OVERLAP: { remedy: 'at-field', title: 'Overlaps' },
  INCOMPATIBLE: { remedy: 'at-field', title: 'Does not fit' },
  REQUEST_REUSED: { remedy: 'say', title: 'The name of another request' },
  STALE_VERSION: { remedy: 'at-field', title: 'Changed meanwhile' },
  MANAGED_ELSEWHERE: { remedy: 'at-field', title: 'Managed by a source' },
  BATCH_TOO_LARGE: { remedy: 'say', title: 'Too many at once' },
  TOO_COMPLEX: { remedy: 'say', title: 'Too much for one query' },
  TIMEOUT: { remedy: 'retry', title: 'The server took too long' },
  REVISION_COMPACTED: { remedy: 'reload', title: 'The revision is no longer kept' },
  UNAVAILABLE: { remedy: 'retry', title: 'The server is not available' },
  NETWORK: { remedy: 'retry', title: 'The server cannot be reached' },
  INTERNAL: { remedy: 'say', title: 'The server failed' },
};

export const remedyOf = (error: Refused): Remedy => REMEDIES[error.code]?.remedy ?? 'say';
export const titleOf = (code: string): string => REMEDIES[code]?.title ?? code;

/** Anything that was thrown, as an error of the API. */
export function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused('INTERNAL', error instanceof Error ? error.message : String(error));
}
