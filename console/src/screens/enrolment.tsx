// The tokens with which machines enrol their agents: which there are, a new one, and the end of one.
import { useState } from 'preact/hooks';
import { Act, Dialog, Failure, number, pathOf, refusal, time, viewer } from '../shared.ts';
import { finder } from '../store/find.ts';
import { call, denialOf } from '../store/may.ts';
import { usePaced } from '../store/paced.ts';
import { Chosen } from './chosen.tsx';
import { endsAt, ISSUE, LIVES, REVOKE, stateOf, TOKENS } from './enrolment-data.ts';
import type { EnrolmentToken } from './enrolment-data.ts';
import { useClasses } from './host-acquire.tsx';
import { Ago, FILE, keepCommand, Line, runCommand, useSending } from './token-words.tsx';

/** Tokens and their uses make no revision, so the feed does not tell of them. */
const PACE_MS = 15_000;
const ENROLMENT_FILE = '/etc/underlay/enrolment.token';
const MOST_MACHINES = 100_000;
const findSite = finder(['Site']);

export function EnrolmentScreen() {
  return (
    <section class="page hardware" aria-label="Enrolment">
      <header class="page-head"><h1>Enrolment</h1></header>
      <p class="quiet">With one token, many machines get the token of their agent: each that of the host that it is, by its MAC addresses, UUID and serial number.</p>
      {viewer.value?.tenant ? <p class="empty">Tokens of a tenant do not see enrolments: they are for the hosts of all tenants.</p> : <Tokens />}
    </section>
  );
}

function Tokens() {
  const query = usePaced<{ enrolmentTokens: EnrolmentToken[] | null }>(TOKENS, {}, ['Site', 'HostClass'], PACE_MS);
  const [shown, setShown] = useState<'issue' | EnrolmentToken | null>(null);
  const close = (): void => setShown(null);
  const done = (): void => query.mark();
  const [error, all] = [query.error.value, query.data.value?.enrolmentTokens];
  if (error?.code === 'FORBIDDEN') return <p class="empty">Those see tokens of enrolments who may revoke them. {refusal('revokeEnrolmentToken') ?? 'This needs the role operator or admin.'}</p>;
  return (
    <>
      <p class="hardware-acts"><Act class="main" refusal={denialOf('issueEnrolmentToken')} onClick={() => setShown('issue')}>Issue a token…</Act></p>
      {error && <Failure error={error} again={() => void query.read()} />}
      {!all && !error && <p class="waiting">Reading…</p>}
      {all?.length === 0 && <p class="empty">No token of an enrolment is there. One that has ended is forgotten after a month.</p>}
      {all && all.length > 0 && <List all={all} onRevoke={setShown} />}
      {shown === 'issue' && <IssueDialog onDone={done} onClose={close} />}
      {shown !== null && shown !== 'issue' && <RevokeDialog it={shown} onDone={done} onClose={close} />}
    </>
  );
}

const HEADS = ['Issued', 'To', 'State', 'Used', 'For', 'Ends', 'Unknown machines', ''];

function List({ all, onRevoke }: { all: EnrolmentToken[]; onRevoke(it: EnrolmentToken): void }) {
  return (
    <div class="scroll enrolments" tabIndex={0} role="group" aria-label="Table of tokens">
      <table class="units hardware-table">
        <thead><tr>{HEADS.map((it) => (it ? <th scope="col" key={it}>{it}</th> : <td key="acts" />))}</tr></thead>
        <tbody>{all.map((it) => <TokenRow it={it} onRevoke={() => onRevoke(it)} key={it.id} />)}</tbody>
      </table>
    </div>
  );
}

function TokenRow({ it, onRevoke }: { it: EnrolmentToken; onRevoke(): void }) {
  const state = stateOf(it);
  return (
    <tr>
      <th scope="row"><Ago at={it.issuedAt} /></th>
      <td><bdi>{it.issuedTo}</bdi></td>
      <td><span class={`state ${state.tone}`}>{state.title}</span>{it.revokedAt && <> <Ago at={it.revokedAt} /></>}</td>
      <td>{number(it.used)} of {number(it.count)}</td>
      <td><For it={it} /></td>
      <td><time dateTime={it.endsAt}>{time(it.endsAt)}</time></td>
      <td>{it.registers ? 'are registered' : 'are refused'}</td>
      <td>{state.isAccepted && <Act class="danger" refusal={denialOf('revokeEnrolmentToken')} label={`Revoke the token issued ${time(it.issuedAt)} to ${it.issuedTo}…`} onClick={onRevoke}>Revoke…</Act>}</td>
    </tr>
  );
}

/** The hosts that a token is for. */
function For({ it }: { it: EnrolmentToken }) {
  if (!it.site && !it.class) return <>any host</>;
  return (
    <>
      {it.site && <>hosts of the site <a href={pathOf('Site', { ...it.site })}><bdi>{it.site.name}</bdi></a></>}
      {it.site && it.class && ' and '}
      {it.class && <>{it.site ? 'of' : 'hosts of'} the class <a href={pathOf('HostClass', { ...it.class })}><bdi>{it.class.name}</bdi></a></>}
    </>
  );
}

interface DialogProps {
  onDone(): void;
  onClose(): void;
}

function IssueDialog({ onDone, onClose }: DialogProps) {
  const classes = useClasses();
  const [count, setCount] = useState('1');
  const [hours, setHours] = useState(8);
  const [site, setSite] = useState<string | null>(null);
  const [hostClass, setHostClass] = useState('');
  const [registers, setRegisters] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const { error, waiting, submit } = useSending(async () => {
    const input = { count: Number(count), endsAt: endsAt(hours), site, class: hostClass || null, registers: registers && site === null };
    const answer = await call<{ issueEnrolmentToken: { token: string } }>('issueEnrolmentToken', ISSUE, { input });
    setToken(answer.data.issueEnrolmentToken.token);
    onDone();
  });
  if (token !== null) return <Issued token={token} onClose={onClose} />;
  return (
    <Dialog title="Issue a token of an enrolment" class="order" onClose={onClose}>
      <form onSubmit={submit}>
        <header class="order-head"><h2>Issue a token of an enrolment</h2><button type="button" class="plain" onClick={onClose} aria-label="Close without issuing">✕</button></header>
        <div class="order-fields">
          <label>How many machines <input type="number" required min={1} max={MOST_MACHINES} step={1} value={count} onInput={(event) => setCount(event.currentTarget.value)} /></label>
          <label>Accepted for
            <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>{LIVES.map(([title, value]) => <option key={value} value={value}>{title}</option>)}</select>
          </label>
          <Chosen label="Site" placeholder="Any site; type a name" id={site} find={findSite} remove="Any site" onChange={setSite} />
          <label>Class
            <select value={hostClass} onChange={(event) => setHostClass(event.currentTarget.value)}>
              <option value="">Any class</option>
              {classes.map((it) => <option key={it.id} value={it.id}>{it.name}</option>)}
            </select>
          </label>
          <label class="check"><input type="checkbox" checked={registers && site === null} disabled={site !== null} onChange={(event) => setRegisters(event.currentTarget.checked)} /> Register machines that are no known host</label>
          {site !== null && <p class="quiet">A token of a site registers none: a new host is at no site before its device is known.</p>}
        </div>
        <div class="order-what" role="status">
          <p>The token is shown once. Until it ends, whoever has it can enrol machines as these hosts.</p>
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class="main" disabled={waiting}>Issue the token</button>
        </footer>
      </form>
    </Dialog>
  );
}

function Issued({ token, onClose }: { token: string; onClose(): void }) {
  const enrol = `underlay-agent enrol --server ${location.origin} --enrolment-token-file ${ENROLMENT_FILE} --token-file ${FILE}`;
  return (
    <Dialog title="The token of the enrolment" class="order" onClose={onClose}>
      <div class="order-done">
        <h2>The token of the enrolment</h2>
        <p class="order-what">Copy it now: it is not shown again.</p>
        <Line label="The token" text={token} copy="Copy the token" />
        <p>As root on each machine, begin this command, paste the token, and press Enter and then Ctrl-D:</p>
        <Line label="The command that keeps the token" text={keepCommand(ENROLMENT_FILE)} copy="Copy this command" />
        <p>Then enrol the machine, which gets a token of its own, and run the agent:</p>
        <Line label="The command that enrols the machine" text={enrol} copy="Copy the command" />
        <Line label="The command that runs the agent" text={runCommand()} copy="Copy the last command" />
        <footer><button type="button" class="main" onClick={onClose}>I have it</button></footer>
      </div>
    </Dialog>
  );
}

function RevokeDialog({ it, onDone, onClose }: DialogProps & { it: EnrolmentToken }) {
  const { error, waiting, submit } = useSending(async () => {
    await call('revokeEnrolmentToken', REVOKE, { id: it.id });
    onDone();
    onClose();
  });
  return (
    <Dialog title="Revoke the token of an enrolment" class="order" onClose={onClose}>
      <form onSubmit={submit}>
        <header class="order-head"><h2>Revoke the token of an enrolment</h2><button type="button" class="plain" onClick={onClose} aria-label="Close without revoking">✕</button></header>
        <div class="order-what" role="status">
          <p>It was issued <Ago at={it.issuedAt} /> to <bdi>{it.issuedTo}</bdi>, and {number(it.used)} of {number(it.count)} {it.count === 1 ? 'machine has' : 'machines have'} used it.</p>
          <p>No further machine can enrol with it. The agents that were enrolled keep their own tokens.</p>
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class="danger" disabled={waiting}>Revoke the token</button>
        </footer>
      </form>
    </Dialog>
  );
}
