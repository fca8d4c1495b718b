// The dialog before an order: what will happen to which machines. Nothing is ordered without it.
import { useState } from 'preact/hooks';
import { asRefused, Dialog, EnumValue, Failure, number, say, useQuery } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { order } from '../store/may.ts';
import { inputOfOrder, sentencesOf, variablesOf, verbOf } from './host-orders.ts';
import type { Options, Order, Target } from './host-orders.ts';

const MAX_NAMED = 12;
const PROFILES = 'query Profiles { profiles(filter: {purpose: {eq: INSTALL}}, first: 200) { nodes { id name method description } } }';
interface Profile { id: string; name: string; method: string | null; description: string | null }

export function OrderDialog({ order: it, targets: given, onClose }: { order: Order; targets: Target[]; onClose(): void }) {
  // The hosts that the reader saw when the dialog opened, whatever happens meanwhile.
  const [targets] = useState(given);
  const [options, setOptions] = useState<Options>(it.id === 'power' ? { power: 'ON' } : it.id === 'adopt' ? { as: 'AVAILABLE' } : {});
  const [variables, setVariables] = useState('');
  const [error, setError] = useState<Refused | null>(null);
  const [waiting, setWaiting] = useState(false);
  const set = (more: Options): void => setOptions({ ...options, ...more });
  const read = variablesOf(variables);
  const ready = it.id !== 'install' || (options.profile !== undefined && 'values' in read);
  const give = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!ready || waiting) return;
    setWaiting(true);
    setError(null);
    try {
      const all = 'values' in read ? { ...options, variables: read.values } : options;
      const name = `${it.mutation[0]?.toUpperCase()}${it.mutation.slice(1)}Input`;
      await order(it.mutation, name, inputOfOrder(it.id, targets.map((one) => one.id), all), 'revision');
      say(`Ordered: ${verbOf(it.id, targets.length, options).toLowerCase()}.`);
      onClose();
    } catch (thrown) {
      setError(asRefused(thrown));
    }
    setWaiting(false);
  };
  const dangerous = it.id === 'install' || it.id === 'release' || (it.id === 'power' && options.power !== 'ON');
  return (
    <Dialog title={`${it.title} ${targets.length === 1 ? targets[0]?.name : `${number(targets.length)} hosts`}`} class="order" onClose={onClose}>
      <form onSubmit={(event) => void give(event)}>
        <header class="order-head"><h2>{it.title} {targets.length === 1 ? <bdi>{targets[0]?.name}</bdi> : `${number(targets.length)} hosts`}</h2><button type="button" class="plain" onClick={onClose} aria-label="Close without ordering">✕</button></header>
        <Fields order={it} single={targets.length === 1} options={options} set={set} variables={variables} setVariables={setVariables} />
        {'wrong' in read && <p class="bad" role="alert">Not a variable: “{read.wrong}”. Write each as key=value.</p>}
        <div class="order-what" role="status">{sentencesOf(it.id, targets, options).map((one) => <p key={one}>{one}</p>)}</div>
        <Targets targets={targets} />
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class={dangerous ? 'danger' : 'main'} disabled={!ready || waiting}>{verbOf(it.id, targets.length, options)}</button>
        </footer>
      </form>
    </Dialog>
  );
}

export function Targets({ targets }: { targets: Target[] }) {
  return (
    <ul class="order-targets" aria-label="The hosts">
      {targets.slice(0, MAX_NAMED).map((it) => <li key={it.id}><bdi>{it.name}</bdi> <EnumValue field="state" value={it.state} /> <span class="quiet">power {it.power.toLowerCase()}</span></li>)}
      {targets.length > MAX_NAMED && <li class="quiet">and {number(targets.length - MAX_NAMED)} more</li>}
    </ul>
  );
}

interface FieldsProps {
  order: Order;
  /** True if the order is for one host. Only then may it reboot what runs. */
  single: boolean;
  options: Options;
  set(more: Options): void;
  variables: string;
  setVariables(text: string): void;
}

function Fields({ order: it, single, options, set, variables, setVariables }: FieldsProps) {
  const check = (name: 'wipe' | 'force' | 'adopt', title: string) => (
    <label class="check"><input type="checkbox" checked={options[name] ?? false} onChange={(event) => set({ [name]: event.currentTarget.checked })} /> {title}</label>
  );
  const reboot = single && check('force', 'Also if the machine runs');
  if (it.id === 'install') return <InstallFields options={options} set={set} variables={variables} setVariables={setVariables} reboot={reboot} />;
  if (it.id === 'release') return <div class="order-fields">{check('wipe', 'Erase the disks')}{check('force', 'Switch off what does not shut down')}</div>;
  if (it.id === 'discover') return <div class="order-fields">{check('adopt', 'They are free afterwards')}{reboot}</div>;
  if (it.id === 'power') {
    return (
      <fieldset class="order-fields">
        <legend>Power</legend>
        {([['ON', 'On'], ['OFF', 'Off'], ['CYCLE', 'Off and on']] as const).map(([value, word]) => (
          <label class="check" key={value}><input type="radio" name="power" checked={options.power === value} onChange={() => set({ power: value })} /> {word}</label>
        ))}
        {options.power !== 'ON' && check('force', 'Also several that may be in use, and those that do not shut down')}
      </fieldset>
    );
  }
  if (it.id === 'adopt') {
    return (
      <fieldset class="order-fields">
        <legend>The machines are</legend>
        <label class="check"><input type="radio" name="as" checked={options.as === 'AVAILABLE'} onChange={() => set({ as: 'AVAILABLE' })} /> free</label>
        <label class="check"><input type="radio" name="as" checked={options.as === 'INSTALLED'} onChange={() => set({ as: 'INSTALLED' })} /> in use</label>
        {options.as === 'AVAILABLE' && check('force', 'Also those that run')}
      </fieldset>
    );
  }
  return null;
}

const HOURS = [8, 24, 168];

interface InstallProps extends Omit<FieldsProps, 'order' | 'single'> {
  reboot: preact.ComponentChildren;
}

function InstallFields({ options, set, variables, setVariables, reboot }: InstallProps) {
  const query = useQuery<{ profiles: { nodes: Profile[] } }>(PROFILES, {}, ['Profile']);
  const profiles = query.data.value?.profiles.nodes ?? [];
  const chosen = profiles.find((it) => it.name === options.profile);
  return (
    <div class="order-fields">
      {query.error.value && <Failure error={query.error.value} />}
      <label>Profile
        <select required value={options.profile ?? ''} onChange={(event) => { if (event.currentTarget.value) set({ profile: event.currentTarget.value }); }}>
          <option value="">Choose what is installed</option>
          {profiles.map((it) => <option key={it.id} value={it.name}>{it.name}</option>)}
        </select>
      </label>
      {chosen?.description && <p class="quiet">{chosen.description}</p>}
      <label>Variables, one key=value a line
        <textarea rows={3} spellcheck={false} value={variables} onInput={(event) => setVariables(event.currentTarget.value)} />
      </label>
      <label>Not begun any more after
        <select value={options.validFor ?? ''} onChange={(event) => set({ validFor: Number(event.currentTarget.value) || null })}>
          <option value="">an hour</option>
          {HOURS.map((it) => <option key={it} value={it * 3600}>{it === 168 ? 'a week' : it === 24 ? 'a day' : `${it} hours`}</option>)}
        </select>
      </label>
      {reboot}
    </div>
  );
}
