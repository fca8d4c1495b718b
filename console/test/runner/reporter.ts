// Prints what node's test runner tells about a file of flows: each event is a line of JSON. The runner of the flows starts
// every file with this reporter, and reads the lines.
import { inspect } from 'node:util';
import type { Told } from './told.ts';

/** An event of node's test runner, as far as it is used here. */
interface Happened {
  type: string;
  data: { name?: string; message?: string; skip?: string | boolean; todo?: string | boolean; details?: { type?: string; duration_ms?: number; error?: { failureType?: string; cause?: unknown } } };
}

function told({ type, data }: Happened): Told | null {
  const { name = '', details } = data;
  const seconds = (details?.duration_ms ?? 0) / 1000;
  const isSuite = details?.type === 'suite';
  if (type === 'test:dequeue') return { is: 'begun', name };
  if (type === 'test:diagnostic') return { is: 'note', text: data.message ?? '' };
  if (type === 'test:pass') return { is: 'ended', name, isSuite, seconds, how: data.skip === undefined ? 'passed' : 'skipped' };
  if (type !== 'test:fail') return null;
  const { failureType, cause } = details?.error ?? {};
  const why = cause instanceof Error ? inspect(cause) : String(cause);
  // Node cancels the tests of a suite that could not begin, and says that a suite failed if one of its tests did.
  const how = failureType === 'cancelledByParent' ? 'cancelled' : 'failed';
  return { is: 'ended', name, isSuite, seconds, how, why, isOfParts: failureType === 'subtestsFailed' };
}

export default async function* reporter(happened: AsyncIterable<Happened>): AsyncGenerator<string> {
  for await (const it of happened) {
    const line = told(it);
    if (line) yield `${JSON.stringify(line)}\n`;
  }
}
