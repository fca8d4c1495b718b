// The orders that hosts take: which states they need, and what exactly each does. Pure.

export interface Target {
  id: string;
  name: string;
  state: string;
  power: string;
  generation: number;
  generationDone: number;
  maintenance: Record<string, string>;
  failure: { during: string; reason: string; message: string } | null;
}

export type OrderId = 'install' | 'release' | 'power' | 'retry' | 'adopt' | 'discover' | 'cancel';

export interface Order {
  id: OrderId;
  title: string;
  mutation: string;
  /** The states that the order takes hosts in. Empty: any. */
  states: string[];
}

export const ORDERS: Order[] = [
  { id: 'install', title: 'Install', mutation: 'installHosts', states: ['ACQUIRED', 'FAILED'] },
  { id: 'power', title: 'Power', mutation: 'setHostPower', states: [] },
  { id: 'release', title: 'Release', mutation: 'releaseHosts', states: ['ACQUIRED', 'INSTALLED', 'FAILED'] },
  { id: 'retry', title: 'Retry', mutation: 'retryHosts', states: ['FAILED'] },
  { id: 'adopt', title: 'Adopt', mutation: 'adoptHosts', states: ['REGISTERED'] },
  { id: 'discover', title: 'Discover', mutation: 'discoverHosts', states: ['REGISTERED', 'AVAILABLE', 'FAILED'] },
  { id: 'cancel', title: 'Cancel order', mutation: 'cancelHosts', states: [] },
];

/** The API takes no more in one order. */
export const MAX_HOSTS = 1_000;

/** The states of a life in their order; FAILED stands apart. */
export const LIFE = ['REGISTERED', 'DISCOVERING', 'AVAILABLE', 'ACQUIRED', 'INSTALLING', 'INSTALLED', 'RELEASING', 'WIPING'];

const joined = (words: string[]): string =>
  (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** True while an order of the host is at work. */
export const isAtWork = (it: Target): boolean => it.generationDone < it.generation;

/** The reason why these hosts cannot get the order, as a sentence; null if they can. The server has the last word. */
export function blockedBy(order: Order, targets: Target[]): string | null {
  if (targets.length === 0) return 'Mark hosts first.';
  if (targets.length > MAX_HOSTS) return `At most ${MAX_HOSTS} hosts at once.`;
  const wrong = targets.filter((it) => order.states.length > 0 && !order.states.includes(it.state));
  if (wrong.length > 0) {
    const states = joined(order.states.map((it) => it.toLowerCase()));
    return `This takes hosts that are ${states}; ${targets.length === 1 ? `${wrong[0]?.name} is ${wrong[0]?.state.toLowerCase()}` : `${wrong.length} of ${targets.length} are not`}.`;
  }
  if (order.id === 'cancel') return targets.every(isAtWork) ? null : 'This takes hosts that have an order at work.';
  const busy = targets.filter(isAtWork);
  if (busy.length > 0) return `${busy.length === 1 ? `${busy[0]?.name} has` : `${busy.length} hosts have`} an order at work, which is not replaced.`;
  return null;
}

export interface Options {
  profile?: string;
  variables?: Record<string, string>;
  validFor?: number | null;
  wipe?: boolean;
  force?: boolean;
  adopt?: boolean;
  power?: 'ON' | 'OFF' | 'CYCLE';
  as?: 'AVAILABLE' | 'INSTALLED';
}

/** The effects of the order, in whole sentences for the dialog before it is given. */
export function sentencesOf(id: OrderId, targets: Target[], options: Options): string[] {
  const count = targets.length;
  const machines = count === 1 ? 'The machine' : `${count} machines`;
  const are = count === 1 ? 'is' : 'are';
  const on = targets.filter((it) => it.power === 'ON').length;
  const running = on === 0 ? [] : [on === 1 ? 'One machine was last seen running.' : `${on} machines were last seen running.`];
  switch (id) {
    case 'install':
      return [`${machines} ${are} started from the network, and “${options.profile ?? '…'}” is written to ${count === 1 ? 'its' : 'their'} disks.`, options.force ? 'What is on the disks is lost, and what runs there too.' : 'What is on the disks is lost. Machines that run are left alone.', ...running];
    case 'release':
      return [
        `${machines} ${are} asked to shut down, detached, and free for others.`,
        options.wipe ? 'The disks are erased. This takes up to four hours, and cannot be undone.' : 'The disks stay as they are: whoever gets the machine next can read them.',
        ...(options.force ? ['A machine that does not shut down in five minutes is switched off.'] : ['Machines that run though nothing was installed on them are left alone.']),
        ...running,
      ];
    case 'power':
      return [
        options.power === 'ON' ? `${machines} ${are} switched on.` : options.power === 'OFF' ? `${machines} ${are} asked to shut down.` : `${machines} ${are} asked to shut down, and then started again: whatever runs there stops.`,
        ...(options.force && options.power !== 'ON' ? ['A machine that does not shut down is switched off.'] : []),
        ...(options.power === 'ON' ? [] : running),
      ];
    case 'retry':
      return [`The order that failed is given again to ${count === 1 ? 'the host' : `${count} hosts`}, from its beginning.`, ...running];
    case 'adopt':
      return [`${machines} ${are} not touched.`, options.as === 'INSTALLED' ? 'From now on they count as installed, so that nobody else gets them.' : 'From now on they are free: whoever acquires one can install it, and what runs there is lost.'];
    case 'discover':
      return [`${machines} ${are} started from the network once, to find out the hardware, and switched off afterwards.`, options.force ? 'What runs there is lost.' : 'Machines that run are left alone.', options.adopt ? 'Afterwards they are free: whoever acquires one can install it.' : 'Hosts that nobody has adopted stay registered.', ...running];
    case 'cancel':
      return [`The order of ${count === 1 ? 'the host' : `${count} hosts`} ends, if it has not touched the machine yet.`, 'What a controller has prepared is taken back.'];
  }
}

/** The button that gives the order. */
export function verbOf(id: OrderId, count: number, options: Options): string {
  const hosts = count === 1 ? '1 host' : `${count} hosts`;
  const powers = { ON: 'Switch on', OFF: 'Shut down', CYCLE: 'Restart' };
  switch (id) {
    case 'install': return `Install ${hosts}`;
    case 'release': return options.wipe ? `Release and wipe ${hosts}` : `Release ${hosts}`;
    case 'power': return `${powers[options.power ?? 'ON']} ${hosts}`;
    case 'retry': return `Retry ${hosts}`;
    case 'adopt': return `Adopt ${hosts}`;
    case 'discover': return `Discover ${hosts}`;
    case 'cancel': return `Cancel the order of ${hosts}`;
  }
}

/** The input of the mutation. */
export function inputOfOrder(id: OrderId, ids: string[], options: Options): object {
  switch (id) {
    case 'install': return { ids, profile: { profile: options.profile }, variables: options.variables ?? {}, validFor: options.validFor ?? null, force: options.force ?? false };
    case 'release': return { ids, wipe: options.wipe ?? false, force: options.force ?? false };
    case 'power': return { ids, power: options.power ?? 'ON', force: options.force ?? false };
    case 'adopt': return { ids, as: options.as ?? 'AVAILABLE', force: options.force ?? false };
    case 'discover': return { ids, adopt: options.adopt ?? false, force: options.force ?? false };
    case 'retry':
    case 'cancel': return { ids };
  }
}

/** Lines such as `key=value` as variables, or the line that is none. */
export function variablesOf(text: string): { values: Record<string, string> } | { wrong: string } {
  const values: Record<string, string> = {};
  for (const line of text.split('\n').map((it) => it.trim()).filter(Boolean)) {
    const at = line.indexOf('=');
    if (at < 1) return { wrong: line };
    values[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { values };
}
