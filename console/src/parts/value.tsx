// Shows values of fields: scalars, enums, labels, references and value objects.
import { joined, scalar } from '../kinds/format.ts';
import { enumWords, parentsOf, titleOf, VALUES, words } from '../kinds/registry.ts';
import type { Field, Row } from '../kinds/shape.ts';
import { pathOf } from '../routes.ts';

/** The look of each state. Each also has its word, so that colour is never alone. */
const TONES: Record<string, string> = {
  ACTIVE: 'good', CONNECTED: 'good', READY: 'good', UP: 'good', ON: 'good', HEALTHY: 'good', OK: 'good', PASSED: 'good', SUCCEEDED: 'good', IN_USE: 'good',
  PLANNED: 'plan', STAGED: 'plan', INSTALLING: 'plan', RUNNING: 'plan', RESERVED: 'plan', CREATED: 'good', UPDATED: 'plan',
  AVAILABLE: 'good', INSTALLED: 'good', ACQUIRED: 'plan', DISCOVERING: 'plan', RELEASING: 'plan', WIPING: 'plan', FRESH: 'good',
  STALE: 'warn', FACTS_STALE: 'warn', FAILING: 'bad', DISK_FAILING: 'bad', MEMORY_ERRORS: 'bad', HARDWARE_MISSING: 'warn', CABLING_MISMATCH: 'warn', PAUSED: 'off', ABANDONED: 'warn', CANCELLED: 'off',
  OFFLINE: 'off', RETIRED: 'off', OFF: 'off', DECOMMISSIONING: 'off', UNKNOWN: 'off', UNCHANGED: 'off', NEVER: 'off',
  FAILED: 'bad', BROKEN: 'bad', BEHIND: 'bad', DELETED: 'bad', ERROR: 'bad', LATE: 'warn', HELD: 'warn', MAINTENANCE: 'warn', DEGRADED: 'warn',
};
const STATES = /(status|state|health|power|operation|conditions)$/i;

export function EnumValue({ field, value }: { field: string; value: string }) {
  if (!STATES.test(field)) return <>{enumWords(value)}</>;
  return <span class={`state ${TONES[value] ?? 'off'}`}>{enumWords(value)}</span>;
}

export function Labels({ value }: { value: Record<string, unknown> }) {
  return (
    <>
      {Object.entries(value).map(([key, it]) => (
        <span class="label" key={key}><b>{key}</b><bdi>{String(it)}</bdi></span>
      ))}
    </>
  );
}

/** The name of an object with the parents that tell it from others. `bdi` keeps a name's direction to itself. */
export function nameOf(kind: string, row: Row): string {
  return joined([...parentsOf(kind).map((it) => (row[it] as Row | null | undefined)?.name), row.name]);
}

interface RefProps {
  row: Row;
  kind?: string;
  /** Leaves it out of the tab order, in tables that have one of their own. */
  quiet?: boolean | undefined;
  /** Shows the object's own name alone. */
  own?: boolean;
}

export function Ref({ row, kind, quiet, own }: RefProps) {
  const of = kind ?? String(row.__typename ?? '');
  if (!row.name) return <span class="quiet">{titleOf(of)}</span>;
  const name = own ? String(row.name) : nameOf(of, row);
  return <a href={pathOf(of, row)} tabIndex={quiet ? -1 : undefined} title={name}><bdi>{name}</bdi></a>;
}

/** A placement as people write it: `A14 · U12–13 · front`. */
function Placement({ value, quiet }: { value: Row; quiet?: boolean | undefined }) {
  const start = value.startUnit as number | null;
  const height = (value.unitHeight as number | null) ?? 1;
  const units = start === null ? '' : height > 1 ? `U${start}–${start + height - 1}` : `U${start}`;
  const face = `${String(value.face).toLowerCase()}${value.fullDepth ? ', full depth' : ''}`;
  return (
    <span class="parts">
      <span><Ref row={value.rack as Row} kind="Rack" quiet={quiet} own /></span>
      {units && <span>{units}</span>}
      <span>{face}</span>
    </span>
  );
}

/** The parts of a value object that are set, as short text: `U12 · Front`. */
function ValueObject({ of, value, quiet }: { of: string; value: Row; quiet?: boolean | undefined }) {
  if (of === 'Placement') return <Placement value={value} quiet={quiet} />;
  const parts = (VALUES[of] ?? []).filter((it) => value[it.name] !== null && value[it.name] !== undefined && value[it.name] !== false);
  return (
    <span class="parts">
      {parts.map((it) => (
        <span key={it.name}>
          {it.is === 'scalar' && <span class="quiet">{words(it.name)} </span>}
          <Value field={it} value={value[it.name]} quiet={quiet} />
        </span>
      ))}
    </span>
  );
}

export function Value({ field, value, quiet }: { field: Field; value: unknown; quiet?: boolean | undefined }): preact.JSX.Element | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) {
    return <>{value.map((it, at) => <span class="item" key={at}><Value field={field} value={it} quiet={quiet} /></span>)}</>;
  }
  if (field.is === 'enum') return <EnumValue field={field.name} value={String(value)} />;
  if (field.is === 'one' || field.is === 'union') {
    return <Ref row={value as Row} {...(field.is === 'one' ? { kind: field.of } : {})} quiet={quiet} />;
  }
  if (field.is === 'value') return <ValueObject of={field.of} value={value as Row} quiet={quiet} />;
  if (field.of === 'Labels') return <Labels value={value as Record<string, unknown>} />;
  if (field.of === 'DateTime') return <time dateTime={String(value)}>{scalar(field.name, field.of, value)}</time>;
  if (field.of === 'URL' && /^https?:/.test(String(value))) return <a href={String(value)} rel="noreferrer" target="_blank" tabIndex={quiet ? -1 : undefined}>{String(value)}</a>;
  return <bdi>{scalar(field.name, field.of, value)}</bdi>;
}
