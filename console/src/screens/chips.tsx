// Filters as chips, and the form that adds one.
import { conditionsOf, keyOfCondition, opWords } from '../kinds/filter.ts';
import type { Condition } from '../kinds/filter.ts';
import { enumWords, words } from '../kinds/registry.ts';
import { lazy } from '../parts/lazy.tsx';
import { Menu } from '../parts/menu.tsx';
import { nameById } from '../store/names.ts';
import type { Source } from '../store/rows.ts';

export interface FormProps {
  source: Source;
  onAdd(key: string, values: string[]): void;
}

const FilterForm = lazy<FormProps>(async () => (await import('./filter-form.lazy.tsx')).FilterForm);

type Changes = Record<string, string | string[] | null>;
export interface ChipsProps {
  source: Source;
  params: URLSearchParams;
  onChange(changes: Changes): void;
  opener?: { open?: () => void };
}

export function Chips({ source, params, onChange, opener }: ChipsProps) {
  const { kind } = source;
  const remove = (it: Condition): void => {
    const key = keyOfCondition(it);
    const left = params.getAll(key).filter((value) => !it.values.includes(value));
    onChange({ [key]: left.length > 0 ? left : null });
  };
  const add = (key: string, values: string[]): void => onChange({ [key]: [...new Set([...params.getAll(key), ...values])] });
  return (
    <div class="chips">
      {conditionsOf(kind, params).map((it) => {
        const text = wordsOf(it);
        return (
          <span class="chip" key={keyOfCondition(it) + it.values.join()}>
            <bdi>{text}</bdi>
            <button type="button" aria-label={`Remove the filter ${text}`} onClick={() => remove(it)}>✕</button>
          </span>
        );
      })}
      <Menu label="+ Filter" title="Add a filter" class="plain" {...(opener ? { opener } : {})}>
        {(close) => <FilterForm source={source} onAdd={(key, values) => { add(key, values); close(); }} />}
      </Menu>
    </div>
  );
}

/** True if the values are ids of the objects that a field refers to. */
const isObject = (it: Condition): boolean => it.path.length > 1 && it.path.at(-1) === 'id';

function wordsOf(it: Condition): string {
  const name = (isObject(it) ? it.path.slice(0, -1) : it.path).filter((part) => part !== 'some').map(words).join(' › ');
  if (it.op === 'isNull') return `${name} ${(it.values[0] === 'true') === it.not ? 'is there' : 'is missing'}`;
  const values = it.values.map((value) => valueWords(it, value)).join(' or ');
  return `${name} ${it.not ? 'not: ' : ''}${['eq', 'in', ''].includes(it.op) ? '' : `${opWords(it.op)} `}${values}`;
}

function valueWords(it: Condition, value: string): string {
  if (isObject(it) || (it.op === '' && it.path.at(-1) === 'within')) return nameById(value) ?? '…';
  return /^[A-Z][A-Z_\d]*$/.test(value) ? enumWords(value) : value;
}
