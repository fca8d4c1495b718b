// The first page: what stands out. The rest of it is loaded after these numbers.
import { number } from '../kinds/format.ts';
import { placeFilter } from '../kinds/narrow.ts';
import { enumWords, kinds, pluralOf, segmentOf } from '../kinds/registry.ts';
import { Failure } from '../parts/failure.tsx';
import { lazy } from '../parts/lazy.tsx';
import { narrowedTo } from '../routes.ts';
import { useQuery } from '../store/query.ts';

/** The kinds whose objects have a status, of which those that stand out are worth a look. */
const WITH_STATUS = kinds().filter((it) => it.fields.some((field) => field.name === 'status' && field.of === 'Status'));
const STANDS = ['FAILED', 'PLANNED', 'OFFLINE'];
const DOCUMENT = `query Home(${WITH_STATUS.map((it) => `$${it.name}: ${it.name}Filter!`).join(', ')}) { ${WITH_STATUS.flatMap((kind) => STANDS.map((it) => (
  `${kind.name}_${it}: ${kind.list}(filter: {and: [{status: {eq: ${it}}}, $${kind.name}]}, first: 0) { totalCount }`))).join(' ')} }`;

const Attention = lazy(async () => (await import('./home-watch.lazy.tsx')).Attention, 'over');
const Lately = lazy(async () => (await import('./home-watch.lazy.tsx')).Lately, 'over');
const SinglePoints = lazy(async () => (await import('./home-watch.lazy.tsx')).SinglePoints, 'over');
const Space = lazy(async () => (await import('./home-watch.lazy.tsx')).Space, 'over');

export function HomeScreen() {
  const query = useQuery<Record<string, { totalCount: number } | null>>(
    DOCUMENT, Object.fromEntries(WITH_STATUS.map((it) => [it.name, placeFilter(it.name, narrowedTo()) ?? {}])), WITH_STATUS.map((it) => it.name),
  );
  return (
    <section class="page" aria-label="Home">
      <h1>Home</h1>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      <div class="cards">
        {STANDS.map((stand) => (
          <section class="card" key={stand} aria-label={enumWords(stand)}>
            <h2>{enumWords(stand)}</h2>
            <ul>
              {WITH_STATUS.map((kind) => {
                const count = query.data.value?.[`${kind.name}_${stand}`]?.totalCount ?? 0;
                return count > 0 && <li key={kind.name}><a href={`/${segmentOf(kind)}?status.in=${stand}`}><span>{pluralOf(kind.name)}</span><b>{number(count)}</b></a></li>;
              })}
              {query.data.value && WITH_STATUS.every((kind) => !query.data.value?.[`${kind.name}_${stand}`]?.totalCount) && <li class="quiet">none</li>}
            </ul>
          </section>
        ))}
      </div>
      <Attention />
      <Space />
      <Lately />
      <SinglePoints />
    </section>
  );
}
