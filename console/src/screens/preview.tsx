// An object beside its list.
import { titleOf } from '../kinds/registry.ts';
import type { Kind } from '../kinds/shape.ts';
import { useCommands } from '../keys.ts';
import { setParams } from '../routes.ts';
import { Overview } from './overview.tsx';

export function Preview({ kind, id }: { kind: Kind; id: string }) {
  const close = (): void => setParams({ preview: null }, 'replace');
  useCommands({ out: close });
  return (
    <aside class="preview" aria-label={`Preview of a ${titleOf(kind.name).toLowerCase()}`} tabIndex={0}>
      <button type="button" class="close" onClick={close} aria-label="Close the preview">✕</button>
      <Overview kind={kind} id={id} short />
    </aside>
  );
}
