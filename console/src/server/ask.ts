// Requests to the API: the token, a time-out, errors of one type, and the revision that this page has seen.
import { signal } from '@preact/signals';
import { upright } from '../kinds/format.ts';
import { Refused } from './refused.ts';
import { refused, token } from './who.ts';

/** The latest revision that an answer was read from, or that an event named. */
export const revision = signal(0);
/** False while requests do not reach the server. */
export const reached = signal(true);
/** The revision of this tab's own last write: later reads wait for it, whatever replica answers. */
let written = 0;

export interface Answer<T> {
  data: T;
  revision: number;
}

interface Body<T> {
  data?: T | null;
  errors?: Array<{ message: string; extensions?: Record<string, unknown> }>;
  extensions?: { revision?: number };
}

const TIMEOUT_MS = 60_000;

export function seen(number: number | null | undefined): void {
  if (number && number > revision.value) revision.value = number;
}

/** Keeps the revision of a write, so that what is read next shows it. */
export function wrote(number: number | null | undefined): void {
  if (number && number > written) written = number;
  seen(number);
}

/** A server that begins a new history, such as another demo, has smaller revisions. */
export function forgetRevisions(now: number): void {
  written = 0;
  revision.value = now;
}

async function send(document: string, variables: object | undefined, abort: AbortSignal | undefined): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json;q=0.9',
  };
  if (token.value) headers.authorization = `Bearer ${token.value}`;
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(abort ? [abort] : [])];
  const extensions = written ? { minRevision: written } : undefined;
  try {
    const body = JSON.stringify({ query: document, variables, extensions });
    const response = await fetch('/graphql', { method: 'POST', headers, body, signal: AbortSignal.any(signals) });
    reached.value = true;
    return response;
  } catch (error) {
    if (abort?.aborted) throw new Refused('ABORTED', 'The request is no longer needed.');
    reached.value = false;
    throw new Refused('NETWORK', error instanceof Error && error.name === 'TimeoutError'
      ? `The server did not answer within ${TIMEOUT_MS / 1000} seconds.` : 'The server cannot be reached.');
  }
}

/** Sends a query or mutation. It throws a `Refused` for the first error. */
export async function ask<T>(document: string, variables?: object, abort?: AbortSignal): Promise<Answer<T>> {
  let response = await send(document, variables, abort);
  if (response.status === 401 && (await refused())) response = await send(document, variables, abort);
  let body: Body<T>;
  try {
    body = (await response.json()) as Body<T>;
  } catch {
    if (response.status >= 500) reached.value = false;
    throw new Refused(response.status === 401 ? 'UNAUTHENTICATED' : 'UNAVAILABLE', `The server answered with status ${response.status}.`);
  }
  seen(body.extensions?.revision);
  const error = body.errors?.[0];
  if (error) throw new Refused(String(error.extensions?.code ?? 'INVALID'), upright(error.message), error.extensions);
  return { data: body.data as T, revision: body.extensions?.revision ?? 0 };
}
