// A path as a list, for those who do not look at the drawing, and for all details.
import { enumWords, number, pathOf, rate, titleOf } from '../shared.ts';
import type { Path } from './path-answer.ts';
import { passedOf } from './path-answer.ts';

interface Avoiding {
  canAvoid(id: string): boolean;
  onAvoid(id: string): void;
}

export function PathList({ path, number: at, canAvoid, onAvoid }: Avoiding & { path: Path; number: number }) {
  return (
    <section class="path-list" aria-label={`Path ${at + 1}`}>
      <h2><span class={`path-badge look-${at % 6}`}>{at + 1}</span> {factsOf(path).join(' · ')}</h2>
      <ol>
        {path.nodes.flatMap((node, index) => {
          const segment = path.segments[index];
          const ends = [node.id, path.nodes[index + 1]?.id ?? ''];
          return [
            <li key={`n${index}`} class="path-stop">
              <Named kind={node.__typename} id={node.id} name={node.name} detail={node.role ? enumWords(node.role) : ''} />
              <Avoid id={node.id} name={node.name} canAvoid={canAvoid} onAvoid={onAvoid} />
            </li>,
            ...(segment ? passedOf(segment, ends) : []).map((it, hop) => (
              <li key={`h${index}-${hop}`} class={it.kind === 'Port' ? 'path-hop quiet' : 'path-hop'}>
                <Named kind={it.kind} id={it.id} name={it.name} detail={it.kind === 'Cable' && it.detail ? enumWords(it.detail) : it.detail} />
                {it.kind !== 'Port' && <Avoid id={it.id} name={it.name} canAvoid={canAvoid} onAvoid={onAvoid} />}
              </li>
            )),
            ...(segment && passedOf(segment, ends).length === 0 ? [<li key={`j${index}`} class="path-hop quiet">{TYPES[segment.type] ?? ''}</li>] : []),
          ];
        })}
      </ol>
    </section>
  );
}

const TYPES: Record<string, string> = {
  PARENT: 'parts of one chassis or stack', BARE_SITE: 'a circuit that ends at the site', LINK: 'a link without cables', MEMBER: 'belongs to it', LINE: '',
};

/** The measures of a path. What is unknown is said, never zero. */
export function factsOf(path: Path): string[] {
  return [
    `${number(path.hops)} ${path.hops === 1 ? 'hop' : 'hops'}`,
    path.lengthM !== null ? `${number(path.lengthM)} m` : path.knownLengthM > 0 ? `more than ${number(path.knownLengthM)} m` : 'length unknown',
    ...latencyOf(path),
    path.bandwidthBps !== null ? rate(path.bandwidthBps) : 'bandwidth unknown',
    ...(path.active ? [] : ['not active']),
    ...(path.logical ? ['partly logical'] : []),
  ];
}

/** The latency of a path, if it crosses a circuit. */
function latencyOf(path: Path): string[] {
  if (path.unknownLatencies === 0) return path.latencyMs !== null ? [`${number(path.latencyMs)} ms one way`] : [];
  return [path.knownLatencyMs > 0 ? `more than ${number(path.knownLatencyMs)} ms one way` : 'latency unknown'];
}

function Named({ kind, id, name, detail }: { kind: string; id: string; name: string; detail: string }) {
  return (
    <span class="thing">
      <span class="thing-kind">{titleOf(kind)}</span>
      <a href={pathOf(kind, { id })}><bdi>{name}</bdi></a>
      {detail && <bdi class="quiet">{detail}</bdi>}
    </span>
  );
}

function Avoid({ id, name, canAvoid, onAvoid }: Avoiding & { id: string; name: string }) {
  return canAvoid(id) ? <button type="button" class="plain small" aria-label={`Avoid ${name}`} title={`Look for paths around ${name}`} onClick={() => onAvoid(id)}>⊘</button> : null;
}
