// Manifests from files, as a review of what they would write.
import { stepOfManifest } from '../kinds/items.ts';
import type { WriteStep } from '../kinds/items.ts';
import { readYaml } from '../kinds/read-yaml.ts';
import { number } from '../kinds/format.ts';
import { say } from '../parts/toast.tsx';
import { MOST_STEPS, propose } from './review.ts';

const MOST_BYTES = 32 * 1024 * 1024;

function documents(name: string, text: string): unknown[] {
  if (/\.jsonl$/i.test(name)) return text.split('\n').filter((it) => it.trim()).map((it) => JSON.parse(it) as unknown);
  if (/\.json$/i.test(name)) return [JSON.parse(text) as unknown].flat();
  return readYaml(text).filter((it) => it !== null);
}

/** The steps of files. It throws a sentence that names the file and the document. */
export function stepsOfFiles(files: Array<{ name: string; text: string }>): WriteStep[] {
  return files.flatMap(({ name, text }) => {
    let all: unknown[];
    try {
      all = documents(name, text);
    } catch (error) {
      throw new Error(`${name} cannot be read: ${(error as Error).message}`);
    }
    return all.map((it, at) => {
      try {
        return stepOfManifest(it);
      } catch (error) {
        throw new Error(`${name}, document ${at + 1}: ${(error as Error).message}`);
      }
    });
  });
}

/** Shows what the manifests in these files would write. */
export async function proposeFiles(files: File[]): Promise<void> {
  try {
    if (files.reduce((sum, it) => sum + it.size, 0) > MOST_BYTES) throw new Error('These files are too large: at most 32 MiB are sent at once.');
    const steps = stepsOfFiles(await Promise.all(files.map(async (it) => ({ name: it.name, text: await it.text() }))));
    if (steps.length === 0) throw new Error('There is no manifest in these files.');
    if (steps.length > MOST_STEPS) throw new Error(`These are ${number(steps.length)} manifests: at most ${number(MOST_STEPS)} are written at once.`);
    propose(files.length === 1 ? `Apply ${files[0]?.name}` : `Apply ${number(files.length)} files`, steps);
  } catch (error) {
    say((error as Error).message);
  }
}
