// An error, where it happened: the server's sentence, and what can be done.
import { titleOf } from '../server/refused.ts';
import type { Refused } from '../server/refused.ts';

export function Failure({ error, again }: { error: Refused; again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <b>{titleOf(error.code)}</b>
      <span>{error.message}</span>
      {again && <button type="button" onClick={again}>Try again</button>}
    </div>
  );
}
