// The reasons of an impact as a tree that the keyboard walks.
import { useMemo, useRef, useState } from 'preact/hooks';
import { go, intoBasket, number, pathOf, pluralOf, useCommands } from '../shared.ts';
import { EffectMark, reasonWords } from './effects.tsx';
import { linesOf, parentLine, treeOf } from './reasons.ts';
import type { Affected, Line } from './reasons.ts';
import { ThingLink } from './thing.tsx';
import type { Thing } from './things.ts';

export function ImpactTree({ failed, affected }: { failed: Thing[]; affected: Affected[] }) {
  const { roots, rest } = useMemo(() => treeOf(failed, affected), [failed, affected]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState('');
  const box = useRef<HTMLUListElement>(null);
  const lines = linesOf(roots, rest, toggled);
  const at = Math.max(0, lines.findIndex((it) => it.key === active));
  const toggle = (it: Line | undefined): void => {
    if (!it || it.open === undefined) return;
    const next = new Set(toggled);
    if (!next.delete(it.key)) next.add(it.key);
    setToggled(next);
  };
  const move = (to: number): void => {
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
    if (!line) return;
    setActive(line.key);
    box.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[lines.indexOf(line)]?.focus();
  };
  const open = (it: Line | undefined): void => {
    if (it?.branch) go(pathOf(it.branch.item.kind, { id: it.branch.item.id }));
    else toggle(it);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[at];
    const runs: Record<string, () => void> = {
      ArrowDown: () => move(at + 1), ArrowUp: () => move(at - 1), Home: () => move(0), End: () => move(lines.length - 1),
      ArrowRight: () => (line?.open === false ? toggle(line) : line?.open ? move(at + 1) : undefined),
      ArrowLeft: () => (line?.open ? toggle(line) : move(parentLine(lines, at))),
      Enter: () => open(line), ' ': () => toggle(line),
    };
    const run = runs[event.key];
    if (!run || (event.target as Element).closest('a')) return;
    event.preventDefault();
    run();
  };
  useCommands({
    next: () => move(at + 1), previous: () => move(at - 1), open: () => open(lines[at]),
    impact: () => intoBasket(lines[at]?.branch ? [lines[at].branch.item.id] : []),
  });
  if (lines.length === 0) return <p class="empty">Nothing else is affected.</p>;
  return (
    <ul class="tree" role="tree" aria-label="What is affected, and why" ref={box} onKeyDown={keys}>
      {lines.map((it, index) => (
        <li
          key={it.key} role="treeitem" aria-level={it.level} aria-expanded={it.open} aria-selected={index === at} tabIndex={index === at ? 0 : -1}
          class={index === at ? 'active' : undefined} style={{ paddingInlineStart: `${(it.level - 1) * 20 + 6}px` }}
          onFocus={() => setActive(it.key)} onClick={(event) => { if (!(event.target as Element).closest('a')) { setActive(it.key); toggle(it); } }}
        >
          <span class="twisty" aria-hidden="true">{it.open === undefined ? '' : it.open ? '▾' : '▸'}</span>
          <TreeLine line={it} />
        </li>
      ))}
    </ul>
  );
}

function TreeLine({ line }: { line: Line }) {
  const { group, branch } = line;
  if (line.hidden) return <span class="quiet">{number(line.hidden)} more are in the list</span>;
  if (group) {
    return (
      <>
        <EffectMark effect={group.effect} />
        <b>{number(group.branches.length)} {pluralOf(group.kind).toLowerCase()}</b>
        <span class="quiet">{reasonWords(group.rule, group.effect)}{group.count > group.branches.length ? `; ${number(group.count - group.branches.length)} more follow from these` : ''}</span>
      </>
    );
  }
  if (!branch) return null;
  const { item } = branch;
  return (
    <>
      {'effect' in item ? <EffectMark effect={item.effect} /> : <span class="state off">Fails</span>}
      <ThingLink it={item} quiet />
      {'effect' in item && <span class="quiet">{reasonWords(item.rule, item.effect)}{item.of === null ? '' : `: ${number(item.lost ?? 0)} of ${number(item.of)}`}{branch.others > 0 ? `; ${branch.others} more ${branch.others === 1 ? 'reason' : 'reasons'}` : ''}</span>}
      {branch.count > 0 && <span class="tree-count">{number(branch.count)}<span class="hidden"> beneath</span></span>}
    </>
  );
}
