// Manifests and tables from files, as a review of what they would write.
import { kindOfFile, stepsOfTable, TableError } from '../kinds/csv-items.ts';
import { stepOfManifest } from '../kinds/items.ts';
import type { WriteStep } from '../kinds/items.ts';
import { readYaml } from '../kinds/read-yaml.ts';
import { number } from '../kinds/format.ts';
import { say } from '../parts/toast.tsx';
import { currentRoute, listPath } from '../routes.ts';
import { MAX_STEPS } from './bounds.ts';
import { propose, refuseFiles } from './review.ts';

const MAX_BYTES = 32 * 1024 * 1024;

interface Text {
  name: string;
  text: string;
}

function documents(name: string, text: string): unknown[] {
  if (/\.(jsonl|ndjson)$/i.test(name)) return text.split('\n').filter((it) => it.trim()).map((it) => JSON.parse(it) as unknown);
  if (/\.json$/i.test(name)) return [JSON.parse(text) as unknown].flat();
  return readYaml(text).filter((it) => it !== null);
}

function stepsOfManifests({ name, text }: Text): WriteStep[] {
  let all: unknown[];
  try {
    all = documents(name, text);
  } catch (error) {
    throw new TableError([`the file cannot be read: ${(error as Error).message}`]);
  }
  const problems: string[] = [];
  const steps = all.flatMap((it, at) => {
    try {
      return [stepOfManifest(it)];
    } catch (error) {
      problems.push(`document ${at + 1}: ${(error as Error).message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new TableError(problems);
  return steps;
}

function stepsOfFile(file: Text, note: (sentence: string) => void): WriteStep[] {
  if (!/\.csv$/i.test(file.name)) return stepsOfManifests(file);
  const kind = kindOfFile(file.name) ?? currentRoute.value.kind;
  if (!kind) throw new TableError([`the name of the file does not say the kind of its objects: name it after a list, such as devices.csv, or drop it on the list`]);
  if (!kind.apply) throw new TableError([`objects of ${listPath(kind)} are not written by tables`]);
  return stepsOfTable(kind, file.text, (computed) => note(`${file.name}: ${computed.join(', ')} ${computed.length === 1 ? 'is' : 'are'} not written, because the server computes ${computed.length === 1 ? 'it' : 'them'}.`));
}

/** Shows what the manifests and tables in these files would write, or every problem that they have. */
export async function proposeFiles(files: File[]): Promise<void> {
  const title = files.length === 1 ? `Apply ${files[0]?.name}` : `Apply ${number(files.length)} files`;
  if (files.reduce((sum, it) => sum + it.size, 0) > MAX_BYTES) return refuseFiles(title, ['The files are too large: at most 32 MiB are sent at once.']);
  const steps: WriteStep[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    try {
      steps.push(...stepsOfFile({ name: file.name, text: await file.text() }, (note) => notes.push(note)));
    } catch (error) {
      const found = error instanceof TableError ? error.problems : [(error as Error).message];
      problems.push(...found.map((it) => `${file.name}, ${it}`));
    }
  }
  if (problems.length === 0 && steps.length === 0) problems.push('The files have no manifest and no table.');
  if (steps.length > MAX_STEPS) problems.push(`These are ${number(steps.length)} objects: at most ${number(MAX_STEPS)} are written at once.`);
  if (problems.length > 0) refuseFiles(title, problems);
  else if (propose(title, steps) && notes.length > 0) say(notes.join(' '));
}
