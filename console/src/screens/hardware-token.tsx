// The token with which the agent on a host reports: it is issued, shown once, and revoked.
import { useState } from 'preact/hooks';
import { Act, Dialog, Failure } from '../shared.ts';
import { call, denialOf } from '../store/may.ts';
import type { AgentToken, Machine } from './hardware-data.ts';
import { Ago, FILE, keepCommand, Line, runCommand, useSending } from './token-words.tsx';

const ISSUE = 'mutation Issue($host: ID!) { issueAgentToken(host: $host) { token } }';
const REVOKE = 'mutation Revoke($host: ID!) { revokeAgentToken(host: $host) { revoked } }';

/** True if an agent can report with the token. */
const isAccepted = (it: AgentToken | null): it is AgentToken => it !== null && it.revokedAt === null;

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

interface DialogProps {
  host: Machine;
  onDone(): void;
  onClose(): void;
}

function IssueDialog({ host, onDone, onClose }: DialogProps) {
  const [token, setToken] = useState<string | null>(null);
  // What the reader saw when the dialog opened: the answer makes it old.
  const [former] = useState(host.agentToken);
  const { error, waiting, submit } = useSending(async () => {
    const answer = await call<{ issueAgentToken: { token: string } }>('issueAgentToken', ISSUE, { host: host.id });
    setToken(answer.data.issueAgentToken.token);
    onDone();
  });
  if (token !== null) return <Issued name={host.name} token={token} onClose={onClose} />;
  return (
    <Dialog title={`Issue a token for ${host.name}`} class="order" onClose={onClose}>
      <form onSubmit={submit}>
        <header class="order-head"><h2>Issue a token for the agent on <bdi>{host.name}</bdi></h2><button type="button" class="plain" onClick={onClose} aria-label="Close without issuing">✕</button></header>
        <div class="order-what" role="status">
          <p>The token is shown once.</p>
          {isAccepted(former) && <p><b>The token that the host has stops working.</b> It was issued <Ago at={former.issuedAt} /> to <bdi>{former.issuedTo}</bdi>. The agent cannot report until it gets the new one.</p>}
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class={isAccepted(former) ? 'danger' : 'main'} disabled={waiting}>{isAccepted(former) ? 'Replace the token' : 'Issue the token'}</button>
        </footer>
      </form>
    </Dialog>
  );
}

function Issued({ name, token, onClose }: { name: string; token: string; onClose(): void }) {
  return (
    <Dialog title={`The token for ${name}`} class="order" onClose={onClose}>
      <div class="order-done">
        <h2>The token for the agent on <bdi>{name}</bdi></h2>
        <p class="order-what">Copy it now: it is not shown again. Whoever has it can report hardware in the name of this host.</p>
        <Line label="The token" text={token} copy="Copy the token" />
        <p>As root on <bdi>{name}</bdi>, begin this command, paste the token, and press Enter and then Ctrl-D:</p>
        <Line label="The command that keeps the token" text={keepCommand(FILE)} copy="Copy this command" />
        <p>Then run the agent:</p>
        <Line label="The command that runs the agent" text={runCommand()} copy="Copy the command" />
        <footer><button type="button" class="main" onClick={onClose}>I have it</button></footer>
      </div>
    </Dialog>
  );
}

function RevokeDialog({ host, onDone, onClose }: DialogProps) {
  const { error, waiting, submit } = useSending(async () => {
    await call('revokeAgentToken', REVOKE, { host: host.id });
    onDone();
    onClose();
  });
  return (
    <Dialog title={`Revoke the token of ${host.name}`} class="order" onClose={onClose}>
      <form onSubmit={submit}>
        <header class="order-head"><h2>Revoke the token of the agent on <bdi>{host.name}</bdi></h2><button type="button" class="plain" onClick={onClose} aria-label="Close without revoking">✕</button></header>
        <div class="order-what" role="status"><p>The agent cannot report any more, a second from now. What it has reported stays.</p></div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class="danger" disabled={waiting}>Revoke the token</button>
        </footer>
      </form>
    </Dialog>
  );
}
