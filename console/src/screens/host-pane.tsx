// The life of one host: where it stands, its order and step, what failed and what to do, and what was done.
import { EnumValue, enumWords, Failure, number, pathOf, since, time, useQuery } from '../shared.ts';
import { adviceOnCondition, adviceOnFailure } from './host-advice.ts';
import { LIFE } from './host-orders.ts';

const DOCUMENT = `query HostLife($id: ID!) { node(id: $id) { ... on Host {
  id name title shortId state power generation generationDone acquiredFor maintenance deleting provisioner
  step { attempt name of since } failure { during reason message } lastOrder { number act outcome reason message } conditions { type status reason message messageForTenants }
  wanted { act profile { id name } force until } observed { seenAt by } facts { receivedAt } hardwareConditions class { id name } site { id name }
  machine { __typename ... on Device { id name } ... on VirtualMachine { id name } }
  history(first: 40) { nodes { number at by act message } }
} } }`;

interface Life {
  id: string;
  name: string;
  title: string | null;
  shortId: string;
  state: string;
  power: string;
  generation: number;
  generationDone: number;
  acquiredFor: string | null;
  maintenance: Record<string, string>;
  deleting: boolean;
  provisioner: string | null;
  step: { attempt: number; name: string; of: number; since: string } | null;
  failure: { during: string; reason: string; message: string } | null;
  lastOrder: { number: number; act: string; outcome: string; reason: string | null; message: string | null } | null;
  conditions: Array<{ type: string; status: string; reason: string; message: string | null; messageForTenants: string | null }>;
  wanted: { act: string; profile: { id: string; name: string } | null; force: boolean; until: string | null } | null;
  observed: { seenAt: string; by: string } | null;
  facts: Array<{ receivedAt: string }>;
  hardwareConditions: string[];
  class: { id: string; name: string } | null;
  site: { id: string; name: string } | null;
  machine: { __typename: string; id: string; name: string } | null;
  history: { nodes: Array<{ number: number; at: string; by: string; act: string; message: string }> } | null;
}

export function HostPane({ id }: { id: string }) {
  const query = useQuery<{ node: Life | null }>(DOCUMENT, { id }, ['Host']);
  if (query.error.value) return <aside class="host-pane" aria-label="The host"><Failure error={query.error.value} again={() => void query.read()} /></aside>;
  const it = query.data.value?.node;
  if (!it) return <aside class="host-pane" aria-label="The host"><p class="waiting">{query.data.value ? 'This host does not exist any more.' : 'Reading…'}</p></aside>;
  return (
    <aside class="host-pane" aria-label={`The host ${it.name}`} tabIndex={0}>
      <h2><a href={pathOf('Host', it as never)}><bdi>{it.name}</bdi></a> <span class="quiet">{it.shortId}</span></h2>
      {it.title && <p><bdi>{it.title}</bdi></p>}
      <LifeLine it={it} />
      <Work it={it} />
      {Object.entries(it.maintenance).map(([who, why]) => <p key={who} class="host-note"><b>In maintenance</b> by <bdi>{who}</bdi>: <bdi>{why}</bdi></p>)}
      {it.conditions.filter((one) => one.status !== 'FALSE').map((one) => (
        <div key={one.type} class="host-note"><b>{one.type}</b> <span>{one.message ?? one.messageForTenants ?? one.reason}</span>{adviceOnCondition(one.type) && <p class="quiet">{adviceOnCondition(one.type)}</p>}</div>
      ))}
      <dl class="fields">
        <div><dt>Power</dt><dd><EnumValue field="power" value={it.power} /></dd></div>
        {it.class && <div><dt>Class</dt><dd><a href={pathOf('HostClass', it.class)}><bdi>{it.class.name}</bdi></a></dd></div>}
        {it.machine && <div><dt>Machine</dt><dd><a href={pathOf(it.machine.__typename, { id: it.machine.id })}><bdi>{it.machine.name}</bdi></a></dd></div>}
        {it.site && <div><dt>Site</dt><dd><a href={pathOf('Site', it.site)}><bdi>{it.site.name}</bdi></a></dd></div>}
        {it.acquiredFor && <div><dt>Acquired for</dt><dd><bdi>{it.acquiredFor}</bdi></dd></div>}
        <div><dt>Provisioner</dt><dd>{it.provisioner ?? <span class="quiet">none: it can be powered only</span>}</dd></div>
        {it.observed && <div><dt>Last seen</dt><dd><time dateTime={it.observed.seenAt} title={time(it.observed.seenAt)}>{since(it.observed.seenAt)}</time></dd></div>}
        <div>
          <dt>Hardware</dt>
          <dd>
            <a href={`${pathOf('Host', it as never)}/hardware`}>{it.facts[0] ? `reported ${since(it.facts[0].receivedAt)}` : 'not reported yet'}</a>
            {it.hardwareConditions.map((one) => <EnumValue key={one} field="hardwareConditions" value={one} />)}
          </dd>
        </div>
      </dl>
      <h3>What was done</h3>
      {it.history && it.history.nodes.length > 0
        ? <ol class="history">{it.history.nodes.map((one) => <li key={one.number}><time dateTime={one.at} title={time(one.at)}>{new Date(one.at).toLocaleTimeString()}</time><span><b>{one.act}</b> <bdi>{one.message}</bdi></span></li>)}</ol>
        : <p class="quiet">Nothing yet.</p>}
    </aside>
  );
}

/** The states of a life, with the one where the host stands. */
function LifeLine({ it }: { it: Life }) {
  const stands = it.state === 'FAILED' ? it.failure?.during ?? '' : it.state;
  const at = LIFE.indexOf(stands);
  return (
    <ol class="life" aria-label="Its life">
      {LIFE.map((state, index) => (
        <li key={state} class={index === at ? (it.state === 'FAILED' ? 'failed' : 'now') : undefined} aria-current={index === at ? 'step' : undefined}>
          {index === at && it.state === 'FAILED' ? `✕ ${enumWords(state)}: failed` : enumWords(state)}
        </li>
      ))}
    </ol>
  );
}

function Work({ it }: { it: Life }) {
  const atWork = it.generationDone < it.generation;
  // An order that made the host FAILED is told by its failure.
  const last = !atWork && it.lastOrder?.reason && it.lastOrder.message !== it.failure?.message ? it.lastOrder : null;
  return (
    <>
      {it.failure && (
        <div class="failure host-failure" role="alert">
          <b>{it.failure.reason}</b><span>{it.failure.message}</span>
          <p><b>What to do</b> {adviceOnFailure(it.failure.reason)}</p>
        </div>
      )}
      {last && (
        <div class="host-note" role="status">
          <b>Order {number(last.number)}: {enumWords(last.act).toLowerCase()}, {enumWords(last.outcome).toLowerCase()}</b> <span>{last.message}</span>
          <p class="quiet">{adviceOnFailure(last.reason ?? '')}</p>
        </div>
      )}
      {it.wanted && (atWork || it.failure) && (
        <p class="host-note" role="status">
          <b>Order {number(it.generation)}: {enumWords(it.wanted.act).toLowerCase()}</b>{it.wanted.profile ? <> <bdi>{it.wanted.profile.name}</bdi></> : null}
          {it.step ? <>, step <b>{it.step.name}</b>{it.step.attempt > 1 ? `, attempt ${it.step.attempt}` : ''}, since <time dateTime={it.step.since} title={time(it.step.since)}>{new Date(it.step.since).toLocaleTimeString()}</time></> : atWork ? ', waiting for a controller' : ''}
          {it.wanted.until && atWork ? `; not begun any more after ${time(it.wanted.until)}` : ''}
        </p>
      )}
      {it.deleting && <p class="host-note">It is deleted as soon as a controller has cleared up.</p>}
    </>
  );
}
