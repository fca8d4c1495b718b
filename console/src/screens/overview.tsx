// The fields of one object.
import { about } from '../kinds/about.ts';
import { objectDocument } from '../kinds/documents.ts';
import { columnsOf, DERIVED, kindsIn, titleOf, words } from '../kinds/registry.ts';
import type { Field, Kind, Row } from '../kinds/shape.ts';
import { Value } from '../parts/value.tsx';
import { Failure } from '../parts/failure.tsx';
import { pathOf } from '../routes.ts';
import { useQuery } from '../store/query.ts';

/** Fields that stand at the end, under a heading of their own. */
const RECORD = new Set(['id', 'version', 'createdAt', 'updatedAt', 'externalRefs', 'tenant']);

export interface Manager {
  field: string;
  type: string;
  manager: string;
  since: number;
}

export interface Loaded extends Row {
  id: string;
  name: string;
  version: number;
  managers: Manager[];
  attributes: Record<string, unknown>;
}

/** The object with all its fields, followed by the feed. */
export function useObject(kind: Kind, id: string) {
  const touched = [...new Set([kind.name, ...columnsOf(kind).flatMap(kindsIn)])];
  return useQuery<{ node: Loaded | null }>(objectDocument(kind), { id }, touched);
}

export function Overview({ kind, id, short }: { kind: Kind; id: string; short?: boolean }) {
  const query = useObject(kind, id);
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  const data = query.data.value;
  if (!data) return <p class="waiting">Reading…</p>;
  const row = data.node;
  if (!row) return <p class="empty">This object does not exist, or not any more.</p>;
  return (
    <>
      {short && <h2><a href={pathOf(kind.name, row)}><bdi>{row.name}</bdi></a> <span class="quiet">{titleOf(kind.name)}</span></h2>}
      <Fields kind={kind} row={row} fields={columnsOf(kind).filter((it) => !RECORD.has(it.name) && it.name !== 'name' && !DERIVED[kind.name]?.includes(it.name))} />
      {Object.keys(row.attributes).length > 0 && (
        <>
          <h2 class="sub">Attributes</h2>
          <pre class="json" tabIndex={0}>{JSON.stringify(row.attributes, null, 2)}</pre>
        </>
      )}
      <h2 class="sub">Record</h2>
      <Fields kind={kind} row={row} fields={columnsOf(kind).filter((it) => RECORD.has(it.name))} />
    </>
  );
}

function holderOf(managers: Manager[], field: string): Manager | undefined {
  return managers.find((it) => it.field === field) ?? managers.find((it) => it.field.startsWith(`${field}.`));
}

function Fields({ kind, row, fields }: { kind: Kind; row: Loaded; fields: Field[] }) {
  const set = fields.filter((it) => !isEmpty(row[it.name]));
  const unset = fields.filter((it) => isEmpty(row[it.name]));
  return (
    <>
      <dl class="fields">
        {set.map((it) => {
          const holder = holderOf(row.managers, it.name);
          return (
            <div key={it.name}>
              <dt title={about(`${kind.name}.${it.name}`)}>{words(it.name)}</dt>
              <dd>
                <span><Value field={it} value={row[it.name]} /></span>
                {holder && <span class="holder" title={`Held by ${holder.manager} since revision ${holder.since}`}>{holder.type === 'USER' ? '' : '⚿ '}{holder.manager}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      {unset.length > 0 && <p class="unset">Not set: {unset.map((it) => words(it.name).toLowerCase()).join(', ')}.</p>}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
    || (typeof value === 'object' && Object.keys(value).length === 0);
}
