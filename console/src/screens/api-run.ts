// Sends the operations of the API screen as they are, and keeps the answer whole.
import { createClient, seen, token } from '../shared.ts';

export interface Sent {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

export interface Answer {
  text: string;
  errors: number;
  ms: number;
  bytes: number;
}

export async function send(sent: Sent, abort: AbortSignal): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json;q=0.9' };
  if (token.value) headers.authorization = `Bearer ${token.value}`;
  const began = performance.now();
  const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(sent), signal: abort });
  const raw = await response.text();
  const ms = performance.now() - began;
  const bytes = new TextEncoder().encode(raw).length;
  let body: { errors?: unknown[]; extensions?: { revision?: number } };
  try {
    body = JSON.parse(raw) as typeof body;
  } catch {
    return { text: raw, errors: 1, ms, bytes };
  }
  seen(body.extensions?.revision);
  return { text: JSON.stringify(body, null, 2), errors: body.errors?.length ?? 0, ms, bytes };
}

export interface Observer {
  next(text: string): void;
  /** Null if the server ended the subscription. */
  ended(error: string | null): void;
}

/** Follows a subscription until the answer is called or the server ends it. */
export function subscribe(sent: Sent, observer: Observer): () => void {
  const client = createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql/ws`,
    retryAttempts: 0,
    connectionParams: () => (token.value ? { authorization: `Bearer ${token.value}` } : {}),
  });
  const end = (error: string | null): void => { void client.dispose(); observer.ended(error); };
  const stop = client.subscribe({ query: sent.query, variables: sent.variables ?? {}, ...(sent.operationName ? { operationName: sent.operationName } : {}) }, {
    next: (it) => observer.next(JSON.stringify(it, null, 2)),
    error: (it) => end(Array.isArray(it) ? JSON.stringify({ errors: it }, null, 2) : 'The connection was closed.'),
    complete: () => end(null),
  });
  return () => { stop(); void client.dispose(); };
}
