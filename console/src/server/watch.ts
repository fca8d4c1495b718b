// Subscriptions of single screens, which begin anew after each cut.
import { asRefused, Refused, remedyOf } from './refused.ts';
import { pause, subscribe } from './socket.ts';
import type { Problem } from './socket.ts';

function refusedOf([first]: readonly Problem[]): Refused {
  return new Refused(String(first?.extensions?.code ?? 'INVALID'), first?.message ?? 'The subscription was refused.', first?.extensions);
}

/**
 * Calls back with each answer until the returned function is called. An error of the API ends it; a cut, or a server that is
 * busy, does not. `variables` is asked before each begin, so that a subscription can go on where it was.
 */
export function watch<T>(document: string, variables: () => Record<string, unknown>, next: (data: T) => void, failed: (error: Refused) => void): () => void {
  let ended = false;
  let stop = (): void => {};
  const follow = async (): Promise<void> => {
    for (let failures = 1; !ended; failures += 1) {
      const subscription = subscribe<T>(document, variables(), (it) => {
        failures = 0;
        if (!ended) next(it);
      });
      stop = subscription.stop;
      const { errors } = await subscription.ended;
      if (ended) return;
      const error = errors && refusedOf(errors);
      if (error && !['retry', 'sign-in'].includes(remedyOf(error))) {
        ended = true;
        failed(error);
        return;
      }
      await pause(failures);
    }
  };
  follow().catch((error: unknown) => { if (!ended) failed(asRefused(error)); });
  return () => { ended = true; stop(); };
}
