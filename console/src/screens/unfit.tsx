// Instead of a list: the conditions of its address that do not fit, each with a way to drop it.
import type { Unfit as Condition } from '../kinds/filter.ts';
import { setParams, url } from '../routes.ts';

export function Unfit({ title, unfit }: { title: string; unfit: Condition[] }) {
  const drop = (gone: Condition[]): void => {
    const keys = [...new Set(gone.map((it) => it.key))];
    const left = (key: string): string[] => url.value.searchParams.getAll(key).filter((value) => !gone.some((it) => it.key === key && it.value === value));
    setParams(Object.fromEntries(keys.map((key) => [key, left(key).length > 0 ? left(key) : null])), 'replace');
  };
  return (
    <section class="page" aria-label={title}>
      <h1>{title}</h1>
      <p>The address of this page asks for filters that do not fit. Nothing is listed until they are removed.</p>
      {unfit.map((it) => (
        <div class="failure" role="alert" key={`${it.key}=${it.value}`}>
          <b><bdi>{it.key}={it.value}</bdi></b>
          <span><bdi>{it.why}</bdi></span>
          <button type="button" onClick={() => drop([it])}>Remove this filter</button>
        </div>
      ))}
      {unfit.length > 1 && <button type="button" onClick={() => drop(unfit)}>Remove all of them</button>}
    </section>
  );
}
