// The number of objects of a list by the value of a field. A value narrows the list; the numbers of its own field stay.
import { enumWords, facetDocument, Failure, filterOf, nameById, narrow, narrowedTo, number, setParams, url, useQuery, words } from '../shared.ts';
import type { Source } from '../shared.ts';
import { facetFields, firstFacets, keysOf, valueKey, withoutField } from './facet-fields.ts';
import type { FacetField } from './facet-fields.ts';

interface Counted { facets: Array<{ counts: Array<{ value: string | null; count: number }>; more: number }> }
type Answer = { rows?: Counted; node?: { rows: Counted } };

/** `chosen`: the names of fields with commas, or `usual`. */
export function Facets({ source, chosen }: { source: Source; chosen: string }) {
  const all = facetFields(source.kind);
  const fields = chosen === 'usual' ? firstFacets(source.kind) : chosen.split(',');
  const shown = fields.flatMap((name) => all.find((it) => it.name === name) ?? []);
  const set = (next: string[]): void => setParams({ facets: next.length > 0 ? next.join(',') : null }, 'replace');
  return (
    <aside class="facets" aria-label="Groups" tabIndex={0}>
      {shown.map((it) => <Facet key={it.name} source={source} field={it} onClose={() => set(fields.filter((one) => one !== it.name))} />)}
      <label>Group by
        <select value="" onChange={(event) => set([...fields, event.currentTarget.value])}>
          <option value="">another field…</option>
          {all.filter((it) => !fields.includes(it.name)).map((it) => <option key={it.name} value={it.name}>{words(it.name)}</option>)}
        </select>
      </label>
    </aside>
  );
}

function Facet({ source, field, onClose }: { source: Source; field: FacetField; onClose(): void }) {
  const { kind, of } = source;
  const params = url.value.searchParams;
  const filter = narrow(kind, filterOf(kind, withoutField(params, field)), of ? null : narrowedTo());
  const query = useQuery<Answer>(facetDocument(source, field.name), { ...(of ? { id: of.id } : {}), filter, first: 0 }, [kind.name]);
  const facet = (query.data.value?.rows ?? query.data.value?.node?.rows)?.facets[0];
  const choose = (value: string | null): void => {
    const { key, text } = valueKey(field, value);
    const before = params.getAll(key);
    const next = before.includes(text) ? before.filter((it) => it !== text) : field.several && value !== null ? [...before, text] : [text];
    // A value and the lack of one exclude each other.
    const others = value === null ? keysOf(field) : [valueKey(field, null).key];
    setParams({ ...Object.fromEntries(others.map((it) => [it, null])), [key]: next.length > 0 ? next : null });
  };
  const title = words(field.name);
  // Chosen values stay, so that they can be taken back.
  const chosen = params.getAll(valueKey(field, '').key).filter((it) => !facet?.counts.some((one) => one.value === it));
  const counts = facet && [...facet.counts, ...chosen.map((value) => ({ value, count: 0 }))];
  const most = Math.max(1, ...(counts ?? []).map((it) => it.count));
  return (
    <section aria-label={title}>
      <h2>{title} <button type="button" class="plain" aria-label={`Do not group by ${title}`} onClick={onClose}>✕</button></h2>
      {query.error.value && <Failure error={query.error.value} />}
      <ul>
        {counts?.map(({ value, count }) => {
          const { key, text } = valueKey(field, value);
          return (
            <li key={value}>
              <button type="button" class="plain" aria-pressed={params.getAll(key).includes(text)} onClick={() => choose(value)}>
                <bdi>{textOf(field, value)}</bdi><span class="count">{number(count)}</span>
                <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none"><rect width={Math.max(0.5, (100 * count) / most)} height="2" /></svg>
              </button>
            </li>
          );
        })}
        {counts?.length === 0 && <li class="quiet">none</li>}
        {facet && facet.more > 0 && <li class="quiet">{number(facet.more)} more values</li>}
      </ul>
    </section>
  );
}

function textOf(field: FacetField, value: string | null): string {
  if (value === null) return 'None';
  if (field.is === 'one') return nameById(value) ?? '…';
  if (field.is === 'enum') return enumWords(value);
  return value === 'true' ? 'yes' : value === 'false' ? 'no' : value;
}
