// The form that adds a filter to a list.
import { about, bareType, enumWords, facetDocument, filterFields, HAS, keyOfCondition, kindOf, number, opWords, useQuery, useState, valuesOf } from '../shared.ts';
import type { Row, Source } from '../shared.ts';
import { filterables } from '../kinds/filterable.ts';
import type { Filterable } from '../kinds/filterable.ts';
import type { FormProps } from './chips.tsx';
import { RefPicker } from './ref-picker.tsx';

/** The kinds that objects can be within. */
const PLACES = ['Region', 'Site', 'Location', 'Rack', 'Device', 'Cluster'].filter((it) => kindOf(it)).map((kind) => ({ kind, member: null }));

/** The number of objects of the list that have each value; undefined if that is not known. */
type Counts = Map<string, number> | undefined;

interface Faceted {
  facets: Array<{ counts: Array<{ value: string | null; count: number }> }>;
}

function useFacet(source: Source, field: Filterable | undefined): Counts {
  const [name] = field?.path ?? [];
  const counted = HAS.facets && field?.path.length === 1 && field.type !== 'LabelSelector' && field.type !== 'ID';
  const document = counted ? facetDocument(source, name ?? '') : '{ revision }';
  const variables = counted ? { ...(source.of ? { id: source.of.id } : {}), filter: source.filter, first: 0 } : {};
  const query = useQuery<{ rows?: Faceted; node?: { rows: Faceted } }>(document, variables, [source.kind.name]);
  const facet = (query.data.value?.rows ?? query.data.value?.node?.rows)?.facets[0];
  return facet && new Map(facet.counts.flatMap((it) => (it.value === null ? [] : [[it.value, it.count] as const])));
}

export function FilterForm({ source, onAdd }: FormProps) {
  const { kind } = source;
  const [picked, setPicked] = useState<Row | undefined>();
  const all = filterables(kind);
  const [at, setAt] = useState(Math.max(0, all.findIndex((it) => it.title === 'Status')));
  const [op, setOp] = useState('');
  const [not, setNot] = useState(false);
  const field = all[at] ?? all[0];
  const operator = field && (field.ops.includes(op) ? op : usual(field));
  const counts = useFacet(source, field);
  if (!field || operator === undefined) return null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).getAll('value').map(String).filter(Boolean);
    const data = field.type === 'ID' ? [picked?.id].filter((it) => typeof it === 'string') : given;
    if (data.length > 0) onAdd(keyOfCondition({ not, path: field.path, op: operator }), data);
  };
  return (
    <form class="add-filter" onSubmit={submit}>
      <label>Field
        <select value={at} onChange={(event) => { setAt(Number(event.currentTarget.value)); setOp(''); }}>
          {all.map((it, index) => <option value={index} key={it.title + it.type}>{it.title}</option>)}
        </select>
      </label>
      {field.ops.length > 1 && (
        <label>Condition
          <select value={operator} onChange={(event) => setOp(event.currentTarget.value)}>
            {field.ops.map((it) => <option value={it} key={it}>{opWords(it)}</option>)}
          </select>
        </label>
      )}
      {field.type === 'ID'
        ? <label>Place <RefPicker id="within" targets={PLACES} list={false} value={picked} placeholder="search…" onChange={(it) => setPicked(it as Row | undefined)} /></label>
        : <Operand field={field} op={operator} counts={counts} key={`${at} ${operator}`} />}
      <label class="check"><input type="checkbox" checked={not} onChange={(event) => setNot(event.currentTarget.checked)} /> Must not match</label>
      <button type="submit" class="main">Add the filter</button>
    </form>
  );
}

const usual = (field: Filterable): string =>
  ['contains', 'in', 'eq'].find((it) => field.ops.includes(it) && (it !== 'in' || isEnum(field))) ?? field.ops[0] ?? '';
const isEnum = (field: Filterable): boolean => valuesOf(bareType(filterFields(field.type).eq ?? '')).length > 0;

/** The value of a condition, as its type wants it. */
function Operand({ field, op, counts }: { field: Filterable; op: string; counts: Counts }) {
  const type = op === '' ? 'String' : bareType(filterFields(field.type)[op] ?? 'Boolean');
  const values = valuesOf(type);
  if (values.length > 0) {
    return (
      <fieldset class="choices">
        <legend>Value</legend>
        {values.map((value) => (
          <label key={value} title={about(`${type}.${value}`)}><input type={op === 'eq' ? 'radio' : 'checkbox'} name="value" value={value} /> {enumWords(value)}{counts && <span class="count"> {number(counts.get(value) ?? 0)}</span>}</label>
        ))}
      </fieldset>
    );
  }
  if (type === 'Boolean') {
    return (
      <fieldset class="choices">
        <legend>Value</legend>
        <label><input type="radio" name="value" value="true" defaultChecked /> yes</label>
        <label><input type="radio" name="value" value="false" /> no</label>
      </fieldset>
    );
  }
  const example = field.type === 'LabelSelector' ? 'env in (prod,stage),!legacy' : type === 'DateTime' ? '2026-01-31T00:00:00Z' : '';
  if (['Int', 'Float', 'Long'].includes(type)) return <label>Value <input name="value" required type="number" step="any" /></label>;
  return (
    <label>Value
      <input name="value" required autocomplete="off" spellcheck={false} placeholder={example} list="filter-values" />
      <datalist id="filter-values">{[...(counts?.keys() ?? [])].map((it) => <option value={it} key={it} />)}</datalist>
    </label>
  );
}
