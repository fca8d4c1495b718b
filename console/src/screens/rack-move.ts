// Moving a device: each step is a dry run of the server, whose verdict is shown and said before anything is written.
import { ask, asRefused, refusal, say, signal, titleOfCode, upright } from '../shared.ts';
import type { WriteStep } from '../store/writes.lazy.ts';
import type { Verdict } from '../draw/rack.tsx';
import { unitWords } from '../draw/units.ts';
import type { Span } from '../draw/units.ts';
import type { Device } from './rack-data.ts';
import { gatherMove, movesBut } from './rack-gathered.ts';

/** A place in a rack. */
export interface RackPosition extends Span {
  rack: { id: string; name: string; heightU: number };
  start: number;
}

export interface Move {
  device: Device;
  /** Null while a drag is over no rack. */
  to: RackPosition | null;
  verdict: Verdict;
  /** The server's reason, or what the present place is. */
  why: string;
}

const TRY = `mutation Try($input: ApplyInput!) { apply(input: $input) { results { status error { code message } } } }`;
interface Tried { apply: { results: Array<{ status: string; error: { code: string; message: string } | null }> } }

export const move = signal<Move | null>(null);
/** The text that screen readers announce. */
export const announcement = signal('');

let running: AbortController | undefined;
let answered: Promise<void> = Promise.resolve();

export const positionWords = (it: RackPosition): string => `${unitWords(it.start, it.height)}, ${it.face === 'FRONT' ? 'front' : 'rear'} of ${it.rack.name}`;

/** The write that puts a device at a place, or takes it out of its rack. */
export function stepTo(device: { id: string; name: string }, to: RackPosition | null): WriteStep {
  const placement = to && { rack: { id: to.rack.id }, startUnit: to.start, unitHeight: to.height, face: to.face, fullDepth: to.fullDepth };
  return { kind: 'Device', id: device.id, name: device.name, item: { device: { id: device.id, placement } } };
}

/** Asks the server for a step without writing it. */
export async function verdictOf(step: WriteStep, abort: AbortSignal): Promise<{ verdict: Verdict; why: string }> {
  try {
    // It is tried after the moves that are gathered, which may have made room for it.
    const before = step.id ? movesBut(step.id) : [];
    const { data } = await ask<Tried>(TRY, { input: { items: [...before, step].map((it) => it.item), dryRun: true } }, abort);
    const result = data.apply.results.at(-1);
    const refused = result?.error ?? data.apply.results.find((it) => it.error)?.error;
    if (refused) return { verdict: 'bad', why: `${titleOfCode(refused.code)}: ${upright(refused.message)}` };
    return { verdict: 'good', why: result?.status === 'UNCHANGED' ? 'it stands there now' : 'fits' };
  } catch (error) {
    const refused = asRefused(error);
    return { verdict: 'bad', why: `${titleOfCode(refused.code)}: ${refused.message}` };
  }
}

/** True if the caller may move devices. If not, it says why. */
export function allowed(): boolean {
  const why = refusal('apply');
  if (why) say(why);
  return why === undefined;
}

export function pickUp(device: Device, to: RackPosition | null): void {
  if (!allowed()) return;
  announcement.value = '';
  move.value = { device, to: null, verdict: 'asking', why: '' };
  if (to) moveTo(to);
}

const same = (a: RackPosition | null, b: RackPosition | null): boolean =>
  a === b || (a !== null && b !== null && a.rack.id === b.rack.id && a.start === b.start && a.face === b.face && a.height === b.height && a.fullDepth === b.fullDepth);

/** Holds the device over a place. A step that is still unanswered is given up. */
export function moveTo(to: RackPosition | null): void {
  const now = move.value;
  if (!now || (now.to && same(now.to, to))) return;
  running?.abort();
  if (!to) {
    move.value = { ...now, to, verdict: 'bad', why: 'over no rack' };
    return;
  }
  const abort = new AbortController();
  running = abort;
  move.value = { ...now, to, verdict: 'asking', why: 'asking' };
  answered = verdictOf(stepTo(now.device, to), abort.signal).then((it) => {
    if (abort.signal.aborted || !move.value) return;
    move.value = { ...move.value, ...it };
    announcement.value = `${positionWords(to)}: ${it.why}.`;
  });
}

export function putBack(): void {
  running?.abort();
  const now = move.value;
  move.value = null;
  if (now) announcement.value = `${now.device.name} is put back.`;
}

/** Lets go: a place that the server accepts is gathered for the review, anything else goes back. */
export async function drop(): Promise<void> {
  await answered;
  const now = move.value;
  if (!now) return;
  if (!now.to || now.verdict !== 'good') {
    if (now.to) say(`${now.device.name} does not go to ${positionWords(now.to)}. ${now.why}.`);
    putBack();
    return;
  }
  move.value = null;
  if (now.why !== 'fits') return;
  // The device is drawn anew, maybe in another rack: the keys go on from there.
  if (await gatherStep(now.device, now.to)) setTimeout(() => document.querySelector<SVGElement>(`.rack-face [data-device="${now.device.id}"]`)?.focus(), 0);
}

/** Gathers the move of a device to a place, or out of its rack. */
export async function gatherStep(device: Device, to: RackPosition | null): Promise<boolean> {
  try {
    if (!(await gatherMove(to ? `Move ${device.name} to ${positionWords(to)}` : `Take ${device.name} out of its rack`, device, stepTo(device, to)))) return false;
    announcement.value = `${device.name} is moved in the drawing. Nothing is written yet.`;
    return true;
  } catch (error) {
    say(asRefused(error).message);
    return false;
  }
}
