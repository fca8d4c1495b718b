// What people do about the hardware of a host: issue and revoke the token of its agent, and acknowledge what it has. It is
// loaded when somebody does.
import { useState } from 'preact/hooks';
import { Dialog, Failure } from '../shared.ts';
import { call, order } from '../store/may.ts';
import { isAccepted } from './hardware-data.ts';
import type { Machine } from './hardware-data.ts';
import { amountWords, demandWords, measureTitle, staysMissing } from './hardware-missing.ts';
import { Ago, FILE, keepCommand, Line, runCommand, useSending } from './token-words.tsx';

const ISSUE = 'mutation Issue($host: ID!) { issueAgentToken(host: $host) { token } }';
const REVOKE = 'mutation Revoke($host: ID!) { revokeAgentToken(host: $host) { revoked } }';

export interface DialogProps {
  host: Machine;
  onDone(): void;
  onClose(): void;
}

export function IssueDialog({ host, onDone, onClose }: DialogProps) {
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

export function RevokeDialog({ host, onDone, onClose }: DialogProps) {
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

/** The machine is not touched: what its agent reported last becomes what the host should have. */
export function AcknowledgeDialog({ host, onDone, onClose }: DialogProps) {
  const { error, waiting, submit } = useSending(async () => {
    await order('acknowledgeHardware', 'AcknowledgeHardwareInput', { ids: [host.id] }, 'revision');
    onDone();
    onClose();
  });
  const missing = host.missingHardware;
  return (
    <Dialog title={`Acknowledge the hardware of ${host.name}`} class="order" onClose={onClose}>
      <form onSubmit={submit}>
        <header class="order-head"><h2>Acknowledge the hardware of <bdi>{host.name}</bdi></h2><button type="button" class="plain" onClick={onClose} aria-label="Close without acknowledging">✕</button></header>
        <div class="order-what" role="status">
          <p>What the agent reported last becomes what the host should have. When it has less of something later, hardware is missing. The machine is not touched.</p>
          {missing.length > 0 && (
            <>
              <p><b>You accept that the host has less than is expected:</b></p>
              <ul>{missing.map((it) => <li key={`${it.measure} ${it.demand}`}>{measureTitle(it.measure)}: {amountWords(it)}, {demandWords(it, host.class?.name ?? null)}.</li>)}</ul>
            </>
          )}
          {staysMissing(missing) && <p>What the class demands stays missing, until the machine has it or the host has another class.</p>}
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class="main" disabled={waiting}>Acknowledge the hardware</button>
        </footer>
      </form>
    </Dialog>
  );
}
