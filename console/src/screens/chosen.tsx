// One object of the address: a search field while there is none, a chip when there is.
import { pathOf, titleOf, useQuery } from '../shared.ts';
import type { Row } from '../kinds/shape.ts';
import { Picker } from '../parts/picker.tsx';
import type { PickerProps } from '../parts/picker.tsx';

const OBJECT = 'query Chosen($id: ID!) { node(id: $id) { __typename id ... on Object { name } } }';

export interface ChosenProps {
  label: string;
  placeholder: string;
  id: string | null;
  find: PickerProps['find'];
  /** The text of the button that removes it. */
  remove: string;
  onChange(id: string | null): void;
}

export function Chosen({ label, placeholder, id, find, remove, onChange }: ChosenProps) {
  const query = useQuery<{ node: Row | null }>(OBJECT, { id: id ?? '' }, id ? 'all' : []);
  if (!id) return <Picker label={label} placeholder={placeholder} find={find} onPick={(it) => onChange(it.id)} />;
  const node = query.data.value?.node;
  return (
    <div class="chosen" role="group" aria-label={label}>
      <span>{label}</span>
      <span class="chip">
        {node ? <span class="thing"><span class="thing-kind">{titleOf(String(node.__typename))}</span><a href={pathOf(String(node.__typename), { id })}><bdi>{String(node.name)}</bdi></a></span>
          : <bdi>{query.data.value ? 'It does not exist any more' : '…'}</bdi>}
        <button type="button" aria-label={remove} onClick={() => onChange(null)}>✕</button>
      </span>
    </div>
  );
}
