// The URL is the state. One table of routes: the pattern, the screen, and the key that goes there.
import { computed, signal } from '@preact/signals';
import { IN } from './kinds/narrow.ts';
import { keyOf, kindBySegment, kindOf, pluralOf, segmentOf, titleOf } from './kinds/registry.ts';
import type { Kind, Row } from './kinds/shape.ts';

export type ScreenName = 'home' | 'list' | 'detail' | 'changes' | 'revision' | 'review' | 'patch' | 'elevations' | 'elevation' | 'trace' | 'power' | 'impact' | 'single-points' | 'paths' | 'hosts-board' | 'sources-board' | 'api' | 'hardware' | 'hardware-events' | 'parts' | 'part' | 'enrolment';

interface Route {
  /** `:kind` is a list's segment; `:rest` is one or more segments, and before a word the whole address of an object. */
  path: string;
  screen: ScreenName;
  title: string;
  /** The letter after `g` that goes there. */
  key?: string;
  /** The kinds whose objects have it; absent for all. */
  kinds?: string[];
  /** The group of the sidebar that has it. */
  menu?: 'What if' | 'Operation' | 'History';
}

export const ROUTES: Route[] = [
  { path: '/', screen: 'home', title: 'Home', key: 'h' },
  { path: '/changes', screen: 'changes', title: 'Changes', key: 'c', menu: 'History' },
  { path: '/hardware-events', screen: 'hardware-events', title: 'Hardware events', key: 't', menu: 'History' },
  { path: '/changes/:rest', screen: 'revision', title: 'Revision' },
  { path: '/review', screen: 'review', title: 'Review', key: 'w' },
  { path: '/patch', screen: 'patch', title: 'Patching', key: 'n', menu: 'Operation' },
  { path: '/elevations', screen: 'elevations', title: 'Elevations', key: 'e', menu: 'Operation' },
  { path: '/impact', screen: 'impact', title: 'Impact', key: 'm', menu: 'What if' },
  { path: '/single-points', screen: 'single-points', title: 'Single points of failure', key: 'x', menu: 'What if' },
  { path: '/paths', screen: 'paths', title: 'Paths', key: 'a', menu: 'What if' },
  { path: '/hosts-board', screen: 'hosts-board', title: 'Host board', key: 'b', menu: 'Operation' },
  { path: '/parts', screen: 'parts', title: 'Parts', key: 'y', menu: 'Operation' },
  { path: '/parts/:rest', screen: 'part', title: 'Part' },
  { path: '/enrolment', screen: 'enrolment', title: 'Enrolment', key: 'j', menu: 'Operation' },
  { path: '/sources-board', screen: 'sources-board', title: 'Source board', key: 'q', menu: 'Operation' },
  { path: '/api', screen: 'api', title: 'API', key: 'u', menu: 'Operation' },
  { path: '/:kind', screen: 'list', title: 'List' },
  { path: '/:kind/:rest/elevation', screen: 'elevation', title: 'Elevation', kinds: ['Rack'] },
  { path: '/:kind/:rest/trace', screen: 'trace', title: 'Trace', kinds: ['Port', 'PowerFeed', 'CircuitTermination', 'Cable', 'Device'] },
  { path: '/:kind/:rest/power', screen: 'power', title: 'Power', kinds: ['Device'] },
  { path: '/:kind/:rest/hardware', screen: 'hardware', title: 'Hardware', kinds: ['Host'] },
  { path: '/:kind/:rest', screen: 'detail', title: 'Detail' },
];

/** The letters after `g` for lists. */
export const LIST_KEYS: Record<string, string> = {
  s: 'Site', r: 'Rack', d: 'Device', p: 'Port', l: 'Cable', i: 'Circuit', v: 'VirtualMachine', k: 'Cluster', o: 'Host', f: 'PowerFeed',
};

export interface RouteMatch {
  screen: ScreenName | 'nowhere';
  kind?: Kind;
  /** The segments after the kind, decoded. */
  rest: string[];
}

export const url = signal(new URL(location.href));
export const currentRoute = computed<RouteMatch>(() => match(url.value.pathname));

export function match(pathname: string): RouteMatch {
  const parts = pathname.split('/').filter(Boolean).map((it) => {
    try { return decodeURIComponent(it); } catch { return it; }
  });
  for (const route of ROUTES) {
    const pattern = route.path.split('/').filter(Boolean);
    const open = pattern.includes(':rest');
    if (open ? parts.length < pattern.length : parts.length !== pattern.length) continue;
    const kind = pattern[0] === ':kind' ? kindBySegment(parts[0] ?? '') : undefined;
    if (pattern[0] === ':kind' ? !kind : pattern[0] !== undefined && pattern[0] !== parts[0]) continue;
    if (route.kinds && !route.kinds.includes(kind?.name ?? '')) continue;
    const view = pattern.length === 3 ? pattern[2] : undefined;
    const rest = open ? parts.slice(view ? 1 : pattern.length - 1, view ? -1 : undefined) : [];
    if (view && (parts.at(-1) !== view || !isWhole(kind, rest))) continue;
    return { screen: route.screen, ...(kind ? { kind } : {}), rest };
  }
  return { screen: 'nowhere', rest: parts };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True if segments name one object: its id, or every name of its key. So a rack may be called `elevation`. */
function isWhole(kind: Kind | undefined, rest: string[]): boolean {
  if (rest.length === 1 && UUID.test(rest[0] ?? '')) return true;
  const key = kind && keyOf(kind.name);
  return key !== undefined && rest.length === key.length + 1;
}

/** The id of the place that everything is narrowed to; null if it is not. */
export const narrowedTo = (): string | null => url.value.searchParams.get(IN);

/** Goes to an address of this console. The place that everything is narrowed to goes along. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  visit(taken(to), how);
}

/** An address with the place that everything is narrowed to. */
function taken(to: string): URL {
  const next = new URL(to, url.value);
  const place = narrowedTo();
  if (place && !next.searchParams.has(IN)) next.searchParams.set(IN, place);
  return next;
}

function visit(next: URL, how: 'push' | 'replace'): void {
  if (next.href === url.value.href) return;
  if (how === 'push') history.pushState(null, '', next);
  else history.replaceState(null, '', next);
  url.value = next;
}

/** Changes parameters of the present address; null removes one. */
export function setParams(changes: Record<string, string | string[] | null>, how: 'push' | 'replace' = 'push'): void {
  const next = new URL(url.value);
  for (const [name, value] of Object.entries(changes)) {
    next.searchParams.delete(name);
    if (value !== null) for (const it of [value].flat()) next.searchParams.append(name, it);
  }
  visit(next, how);
}

export function listPath(kind: Kind): string {
  return `/${segmentOf(kind)}`;
}

/** The address of an object: by its key if the row has it, otherwise by its id. */
export function pathOf(name: string, row: Row): string {
  const kind = kindOf(name);
  if (!kind) return `/`;
  const key = keyOf(name)?.map((it) => (row[it] as Row | null | undefined)?.name);
  const parts = key && typeof row.name === 'string' && key.every((it) => typeof it === 'string') ? [...key, row.name] : [row.id];
  return `${listPath(kind)}/${parts.map((it) => encodeURIComponent(String(it))).join('/')}`;
}

export interface View {
  screen: ScreenName;
  title: string;
  path: string;
}

/** The screens that show an object in another way: its elevation, its trace, the racks inside it. */
export function viewsOf(kind: Kind, row: Row): View[] {
  const own = ROUTES.filter((it) => it.kinds?.includes(kind.name))
    .map((it) => ({ screen: it.screen, title: it.title, path: `${pathOf(kind.name, row)}/${it.path.split('/').at(-1)}` }));
  const rack = (row.placement as Row | null | undefined)?.rack as Row | undefined;
  if (rack) own.unshift({ screen: 'elevation', title: 'Elevation', path: `${pathOf('Rack', rack)}/elevation?device=${row.id}` });
  if (kind.name === 'Device') own.push({ screen: 'patch', title: 'Patch', path: `/patch?a=${row.id}` });
  if (['Region', 'Site', 'Location'].includes(kind.name)) own.push({ screen: 'elevations', title: 'Elevations', path: `/elevations?within=${row.id}` });
  return own;
}

/** Goes where a click on a link leads, without loading the page again. */
export function start(): void {
  window.addEventListener('popstate', () => { url.value = new URL(location.href); });
  document.addEventListener('click', (event) => {
    const link = ownLink(event);
    if (!link) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return elsewhere(link);
    event.preventDefault();
    go(hrefOf(link));
  });
  // The browser's menu opens and copies links, too.
  for (const type of ['auxclick', 'contextmenu'] as const) {
    document.addEventListener(type, (event) => {
      const link = ownLink(event);
      if (link) elsewhere(link);
    });
  }
}

type Link = HTMLAnchorElement | SVGAElement;
/** Links of drawings have no plain `href`. */
const hrefOf = (link: Link): string => link.getAttribute('href') ?? '';

/** The link of this console that was clicked. */
function ownLink(event: MouseEvent): Link | undefined {
  const link = (event.target as Element | null)?.closest?.<Link>('a[href]');
  if (event.defaultPrevented || !link || link.hasAttribute('target') || link.hasAttribute('download')) return undefined;
  const to = new URL(hrefOf(link), location.href);
  return to.origin !== location.origin || /^\/(graphql|console)/.test(to.pathname) ? undefined : link;
}

/** The browser opens the link in another tab: the place goes along, too. The link is as it was when it has done so. */
function elsewhere(link: Link): void {
  const before = hrefOf(link);
  const { pathname, search, hash } = taken(before);
  link.setAttribute('href', pathname + search + hash);
  setTimeout(() => link.setAttribute('href', before));
}

/** The address of an object of which only the id is known. */
export function idOrPath(kind: string, id: string): string {
  return pathOf(kind, { id });
}

export function titleOfRoute(at: RouteMatch, name?: string): string {
  const route = ROUTES.find((it) => it.screen === at.screen);
  const subject = at.kind ? (at.screen === 'list' ? pluralOf : titleOf)(at.kind.name) : route?.title ?? 'Nothing here';
  return name ? `${name} · ${subject}` : subject;
}
