// An object that an analysis names, as the API reports it. Pure.

/** The fields of an object that every analysis requests. */
export interface Thing {
  id: string;
  name: string;
  kind: string;
  /** The path as the API writes it, such as `rack/ams1/A14`. */
  path: string;
}

export interface Reported {
  kind: string;
  path: string;
  node: { id: string; name?: string };
}

/** The selection of a `Reported`. */
export const REPORTED = 'kind path node { id ... on Object { name } }';

/** The part of the path before the name: `ams1`. Names may contain slashes. */
export function whereOf(path: string, name: string): string {
  const whole = path.slice(path.indexOf('/') + 1);
  return whole.endsWith(name) ? whole.slice(0, -name.length).replace(/\/$/, '') : '';
}

export function thingOf(it: Reported): Thing {
  return { id: it.node.id, name: it.node.name ?? it.path.slice(it.path.indexOf('/') + 1), kind: it.kind, path: it.path };
}
