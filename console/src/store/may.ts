// The permissions of this caller: as the API says beforehand, or else as it said when it refused. Lazily loaded screens
// bundle it.
import { signal } from '@preact/signals';
import { ask, asRefused, refusal, wrote } from '../shared.ts';
import type { Answer, Refused } from '../shared.ts';

/** The server's sentence for each mutation that it refused to this caller. */
const denied = signal<Record<string, string>>({});

/** The reason why the caller may not call the mutation, which names the roles. Undefined if it may, as far as is known. */
export const denialOf = (mutation: string): string | undefined => refusal(mutation) ?? denied.value[mutation];

/** Calls one mutation and keeps the revision that it made. */
export async function order<T>(mutation: string, input: string, value: object, selection: string, repeatable = true): Promise<T> {
  const [declared, given] = repeatable ? [', $requestId: String', ', requestId: $requestId'] : ['', ''];
  const document = `mutation Order($input: ${input}!${declared}) { done: ${mutation}(input: $input${given}) { ${selection} } }`;
  const answer = await call<{ done: T }>(mutation, document, { input: value, ...(repeatable ? { requestId: crypto.randomUUID() } : {}) });
  wrote((answer.data.done as { revision?: number | null }).revision ?? answer.revision);
  return answer.data.done;
}

/** Sends a document that calls one mutation. A refusal is thrown, and kept if it is about the role. */
export async function call<T>(mutation: string, document: string, variables: object): Promise<Answer<T>> {
  try {
    return await ask<T>(document, variables);
  } catch (thrown) {
    const error: Refused = asRefused(thrown);
    if (error.code === 'FORBIDDEN') denied.value = { ...denied.value, [mutation]: error.message };
    throw error;
  }
}
