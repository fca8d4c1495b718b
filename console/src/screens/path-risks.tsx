// The risks that two paths share: each failure that breaks both, the ones that another path would help against first.
import { impactPath, number, titleOf } from '../shared.ts';
import type { Risk } from './path-answer.ts';
import { ThingLink } from './thing.tsx';

interface RisksProps {
  risks: Risk[];
  struck: string | null;
  onStrike(it: { name: string; ids: ReadonlySet<string> } | null): void;
  canAvoid(id: string): boolean;
  onAvoid(id: string): void;
}

export function Risks({ risks, struck, onStrike, canAvoid, onAvoid }: RisksProps) {
  const own = risks.filter((it) => !it.takesEnd);
  const ends = risks.filter((it) => it.takesEnd);
  const rows = (list: Risk[]) => list.map((it) => <RiskRow key={keyOf(it)} risk={it} struck={struck} onStrike={onStrike} canAvoid={canAvoid} onAvoid={onAvoid} />);
  return (
    <section class="risks" aria-label="What both paths share">
      <h2>{own.length === 0 ? 'No failure on the way breaks both' : `${number(own.length)} single ${own.length === 1 ? 'failure breaks' : 'failures break'} both`}</h2>
      {own.length > 0 && <ul>{rows(own)}</ul>}
      {ends.length > 0 && <details><summary>{number(ends.length)} more take an end with them, so that no other path would help</summary><ul>{rows(ends)}</ul></details>}
    </section>
  );
}

const keyOf = (it: Risk): string => it.riskGroup ?? it.path ?? '';

function RiskRow({ risk, struck, onStrike, canAvoid, onAvoid }: Omit<RisksProps, 'risks'> & { risk: Risk }) {
  const key = keyOf(risk);
  const on = struck === key;
  const ids = new Set([...risk.breaks.flat().map((it) => it.id), ...(risk.node ? [risk.node.id] : [])]);
  const name = risk.riskGroup ?? risk.node?.name ?? risk.path ?? '';
  return (
    <li>
      <button type="button" class="plain" aria-pressed={on} aria-label={`Show in the drawing what ${name} takes`} title="Show in the drawing what it takes" onClick={() => onStrike(on ? null : { name: key, ids })}>Show</button>
      {risk.riskGroup
        ? <span class="thing"><span class="thing-kind">Risk group</span><bdi>{risk.riskGroup}</bdi></span>
        : risk.node && <ThingLink it={{ id: risk.node.id, name, kind: risk.kind ?? '', path: risk.path ?? '' }} />}
      <span class="quiet">takes {risk.breaks.map((it, at) => `${number(it.length)} of path ${at + 1}`).join(', ')}</span>
      <span class="grow" />
      {risk.node && canAvoid(risk.node.id) && !risk.takesEnd && <button type="button" class="plain" aria-label={`Avoid the ${titleOf(risk.kind ?? '').toLowerCase()} ${name}`} onClick={() => onAvoid(risk.node?.id ?? '')}>Avoid</button>}
      {risk.node && <a href={impactPath([risk.node.id])}>Impact<span class="hidden"> of {name}</span></a>}
    </li>
  );
}
