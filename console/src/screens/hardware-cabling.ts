// The cabling of a host: what is heard at its interfaces, beside what is recorded. Pure.
import { isolated, number } from '../kinds/format.ts';
import { enumWords, nameSelection } from '../kinds/registry.ts';
import type { Row } from '../kinds/shape.ts';
import type { Neighbour } from './hardware-data.ts';

const PORT = nameSelection('Port');
export const CABLING = `query Cabling($id: ID!) { node(id: $id) { ... on Host { machine { __typename } cabling {
  interface verdict port { ${PORT} } recorded { ${PORT} }
  heard { neighbour { chassisId portId portDescription systemName } port { ${PORT} } device { ${nameSelection('Device')} } }
} } } }`;
/** What a line consists of: a change of it can change a verdict. */
export const CABLED = ['Host', 'Device', 'Port', 'Cable', 'Link', 'Circuit', 'CircuitTermination', 'VirtualMachine'];

export interface Heard {
  neighbour: Pick<Neighbour, 'chassisId' | 'portId' | 'portDescription' | 'systemName'>;
  port: Row | null;
  device: Row | null;
}
export interface CabledInterface { interface: string; verdict: string; port: Row | null; recorded: Row[]; heard: Heard[] }
export interface Cabling { machine: { __typename: string } | null; cabling: CabledInterface[] | null }

interface Verdict { title: string; tone: string; about: string }

/** The verdicts, those first that need somebody. */
const VERDICTS: Record<string, Verdict> = {
  DIFFERS: { title: 'Differs', tone: 'bad', about: 'The neighbour that is heard is not the far end that is recorded: a cable is plugged in elsewhere, or the record is wrong.' },
  NOT_RECORDED: { title: 'Not recorded', tone: 'warn', about: 'The neighbour that is heard is in the inventory, but no far end is recorded: there is no cable, or its line ends on the way.' },
  UNKNOWN_NEIGHBOUR: { title: 'Unknown neighbour', tone: 'warn', about: 'The neighbour that is heard is not in the inventory.' },
  NO_PORT: { title: 'No port', tone: 'off', about: 'The device has no port with this MAC address or name, so there is nothing to compare with.' },
  AGREES: { title: 'Agrees', tone: 'good', about: 'The neighbour that is heard is the far end that is recorded, or the recorded line leaves the inventory.' },
  NOT_HEARD: { title: 'Not heard', tone: 'off', about: 'No neighbour is heard. That is no fault: many networks do not speak LLDP, and some adapters keep it to themselves.' },
};
const ORDER = Object.keys(VERDICTS);

/** A server that is newer may have other verdicts: they are shown by their own words. */
export const verdictOf = (verdict: string): Verdict => VERDICTS[verdict] ?? { title: enumWords(verdict), tone: 'off', about: '' };
export const isMismatch = ({ verdict }: CabledInterface): boolean => ['bad', 'warn'].includes(verdictOf(verdict).tone);

const rank = (it: CabledInterface): number => (ORDER.indexOf(it.verdict) + ORDER.length + 1) % (ORDER.length + 1);
/** The interfaces, those first that need somebody, else in the order of the machine. */
export const byVerdict = (all: readonly CabledInterface[]): CabledInterface[] => [...all].sort((a, b) => rank(a) - rank(b));

/** The verdicts that occur, in their order. */
export const verdictsIn = (all: readonly CabledInterface[]): string[] => [...new Set(byVerdict(all).map((it) => it.verdict))];

/** The number of interfaces with each verdict: `1 differs, 3 agrees`. */
export function sumOf(all: readonly CabledInterface[]): string {
  return verdictsIn(all).map((verdict) => `${verdictOf(verdict).title.toLowerCase()}: ${number(all.filter((it) => it.verdict === verdict).length)}`).join(', ');
}

const MOST_NAMED = 4;

/** What needs somebody at once, as a sentence. */
export function cablingAlarm(all: readonly CabledInterface[]): string[] {
  const names = all.filter((it) => it.verdict === 'DIFFERS').map((it) => isolated(it.interface));
  if (names.length === 0) return [];
  const named = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), `${number(names.length - MOST_NAMED)} more`] : names;
  return [`Another neighbour is heard than is recorded at the ${names.length === 1 ? 'interface' : 'interfaces'} ${new Intl.ListFormat('en').format(named)}.`];
}

/** A neighbour by what it says of itself: its name, else its chassis, and its port. */
export const heardWords = ({ chassisId, portId, systemName }: Heard['neighbour']): [string, string] => [systemName || chassisId, portId];
