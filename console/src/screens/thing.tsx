// An object that an analysis names: its name as a link, and where it is.
import { pathOf, titleOf } from '../shared.ts';
import { whereOf } from './things.ts';
import type { Thing } from './things.ts';

export function ThingLink({ it, quiet, kind = true }: { it: Thing; quiet?: boolean; kind?: boolean }) {
  const where = whereOf(it.path, it.name);
  return (
    <span class="thing">
      {kind && <span class="thing-kind">{titleOf(it.kind)}</span>}
      <a href={pathOf(it.kind, { id: it.id })} tabIndex={quiet ? -1 : undefined} title={it.name}><bdi>{it.name}</bdi></a>
      {where && <bdi class="quiet">{where}</bdi>}
    </span>
  );
}
