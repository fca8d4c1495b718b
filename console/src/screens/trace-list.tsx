// A trace as tables: a line for each cable and circuit with the place of both of its ends. It is the twin of the drawing
// and the sheet that a technician takes along.
import { number, pathOf } from '../shared.ts';
import { linksOf, outcomeWords } from '../draw/line.ts';
import type { Hop } from '../draw/line.ts';
import { hopOf } from './trace-data.ts';
import type { TraceRow } from './trace-data.ts';

export function TraceList({ trace }: { trace: TraceRow }) {
  return (
    <div class="trace-lists">
      {trace.branches.map((branch, at) => {
        const links = linksOf(branch.steps.map((step) => step.map(hopOf)));
        const title = trace.branches.length === 1 ? 'The line' : `Branch ${number(at + 1)} of ${number(trace.branches.length)}`;
        return (
          <table key={at} class="units links">
            <caption>
              {title}{branch.outcome !== 'COMPLETE' && <span class="fault-words"> {outcomeWords(branch.outcome)}</span>} <span class="quiet">{number(branch.cableCount)} {branch.cableCount === 1 ? 'cable' : 'cables'}, {branch.lengthM === null ? `at least ${number(branch.knownLengthM)}` : number(branch.lengthM)} m</span>
            </caption>
            <thead><tr><th scope="col">#</th><th scope="col">From</th><th scope="col">Place</th><th scope="col">Cable or circuit</th><th scope="col">To</th><th scope="col">Place</th></tr></thead>
            <tbody>
              {links.map((it, index) => (
                <tr key={index}>
                  <td>{number(index + 1)}</td>
                  <td><End hops={it.from} /></td>
                  <td><bdi>{placeOf(it.from)}</bdi></td>
                  <th scope="row">
                    <span><End hops={it.via} /></span> <span class="quiet">{it.via[0]?.facts.join(' · ')}</span>
                    {it.via[0]?.label && <div class="quiet printed">Label <bdi>{it.via[0].label}</bdi></div>}
                  </th>
                  <td><End hops={it.to} /></td>
                  <td><bdi>{placeOf(it.to)}</bdi></td>
                </tr>
              ))}
              {links.length === 0 && <tr><td colSpan={6}>Nothing is plugged in.</td></tr>}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}

const placeOf = (hops: readonly Hop[]): string => hops[0]?.owner?.place || (hops[0]?.facts.join(' · ') ?? '');

/** The names of hops that run together, each a link to its object. */
function End({ hops }: { hops: readonly Hop[] }) {
  if (hops.length === 0) return <span class="quiet">nothing</span>;
  return (
    <>
      {hops.map((it) => (
        <span class="item" key={it.id}>
          {it.owner && <><a href={pathOf(it.owner.kind, { id: it.owner.id })}><bdi>{it.owner.name}</bdi></a> </>}
          <a href={pathOf(it.kind, { id: it.id })}><b><bdi>{it.name}</bdi></b></a>
          {it.fault && <span class="fault-words"> {it.fault}</span>}
        </span>
      ))}
    </>
  );
}
