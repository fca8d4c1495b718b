// Subscriptions of single screens, which begin anew after each cut.
import { client } from './live.ts';
import { Refused } from './refused.ts';

const LONGEST_WAIT_MS = 15_000;

interface Errors { message: string; extensions?: Record<string, unknown> }

function refusedOf(errors: readonly Errors[]): Refused {
  const [first] = errors;
  return new Refused(String(first?.extensions?.code ?? 'INVALID'), first?.message ?? 'The subscription was refused.', first?.extensions);
}

/** Calls back with each answer until the returned function is called. An error of the API ends it, a cut does not. */
export function watch<T>(document: string, variables: Record<string, unknown>, next: (data: T) => void, failed: (error: Refused) => void): () => void {
  let ended = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => {};
  const end = (): void => { ended = true; clearTimeout(timer); stop(); };
  const refuse = (errors: readonly Errors[]): void => { end(); failed(refusedOf(errors)); };
  const begin = (): void => {
    const socket = client();
    stop = () => void socket.dispose();
    const again = (): void => {
      stop();
      if (ended) return;
      failures += 1;
      const wait = Math.min(LONGEST_WAIT_MS, 500 * 2 ** Math.min(failures, 5));
      timer = setTimeout(begin, wait / 2 + (Math.random() * wait) / 2);
    };
    socket.subscribe<T>({ query: document, variables }, {
      next: (it) => {
        failures = 0;
        if (it.errors) refuse(it.errors as readonly Errors[]);
        else if (it.data && !ended) next(it.data);
      },
      error: (it) => { if (Array.isArray(it)) refuse(it as Errors[]); else again(); },
      complete: again,
    });
  };
  begin();
  return end;
}
