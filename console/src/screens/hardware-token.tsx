// The token with which the agent on a host reports: it is issued, shown once, and revoked.
import { useState } from 'preact/hooks';
import { Act, lazy } from '../shared.ts';
import { denialOf } from '../store/may.ts';
import type { DialogProps } from './hardware-acts.lazy.tsx';
import { isAccepted } from './hardware-data.ts';
import type { Machine } from './hardware-data.ts';
import { Ago } from './token-words.tsx';

const IssueDialog = lazy<DialogProps>(async () => (await import('./hardware-acts.lazy.tsx')).IssueDialog, 'over');
const RevokeDialog = lazy<DialogProps>(async () => (await import('./hardware-acts.lazy.tsx')).RevokeDialog, 'over');

export function TokenPart({ host, onDone }: { host: Machine; onDone(): void }) {
  const [shown, setShown] = useState<'issue' | 'revoke' | null>(null);
  const it = host.agentToken;
  const close = (): void => setShown(null);
  return (
    <section aria-label="Token of the agent">
      <h2 class="sub">Token of the agent</h2>
      <p>
        {it === null && 'None was issued yet. '}
        {it !== null && <>Issued <Ago at={it.issuedAt} /> to <bdi>{it.issuedTo}</bdi>{it.revokedAt ? <>, and revoked <Ago at={it.revokedAt} />: no agent can report with it.</> : '.'} </>}
        <span class="quiet">An agent can do nothing with its token but report the hardware of this host.</span>
      </p>
      <p class="hardware-acts">
        <Act refusal={denialOf('issueAgentToken')} onClick={() => setShown('issue')}>{isAccepted(it) ? 'Issue a new token…' : 'Issue a token…'}</Act>
        {isAccepted(it) && <Act class="danger" refusal={denialOf('revokeAgentToken')} onClick={() => setShown('revoke')}>Revoke the token…</Act>}
      </p>
      {shown === 'issue' && <IssueDialog host={host} onDone={onDone} onClose={close} />}
      {shown === 'revoke' && <RevokeDialog host={host} onDone={onDone} onClose={close} />}
    </section>
  );
}
