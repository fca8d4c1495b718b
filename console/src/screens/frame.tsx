// The frame around every screen: kinds with their numbers, the path of the object, search, the revision, the caller,
// the theme.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { about } from '../kinds/about.ts';
import { number, time } from '../kinds/format.ts';
import { IN, isPlaced, placeFilter } from '../kinds/narrow.ts';
import { groups, kinds, pluralOf, segmentOf } from '../kinds/registry.ts';
import { keyWords, useCommands } from '../keys.ts';
import { chooseFiles, onDrop } from '../parts/drop.ts';
import { Menu } from '../parts/menu.tsx';
import { say, Toasts } from '../parts/toast.tsx';
import { lazy } from '../parts/lazy.tsx';
import { currentRoute, narrowedTo, ROUTES, setParams, url } from '../routes.ts';
import { reached, revision } from '../server/ask.ts';
import { cut, notice, state } from '../server/live.ts';
import { leave, session } from '../server/who.ts';
import { review } from '../store/kept.ts';
import { isGone, nameById } from '../store/names.ts';
import { openHelp, openPalette } from '../store/overlays.ts';
import { viewer } from '../store/viewer.ts';
import { useQuery } from '../store/query.ts';
import { switchTheme, theme } from '../store/theme.ts';
import { trail } from '../store/trail.ts';

const COUNTS = `query Counts(${kinds().map((it) => `$${it.name}: ${it.name}Filter`).join(', ')}) { ${kinds().map((it) => `${it.name}: ${it.list}(filter: $${it.name}, first: 0) { totalCount }`).join(' ')} }`;
const Places = lazy<{ chosen: string | null; onChoose(id: string | null): void }>(async () => (await import('./places.lazy.tsx')).Places);

/** Shows what the manifests in files would write. */
async function take(files: File[]): Promise<void> {
  await (await import('../store/writes.lazy.ts')).proposeFiles(files);
}
onDrop(take);

export function Frame({ children }: { children: ComponentChildren }) {
  const copy = (): void => {
    void navigator.clipboard?.writeText(location.href).then(() => say('The link is copied.'), () => say('The browser does not allow copying.'));
  };
  const { pathname } = url.value;
  // A link that was followed is often gone with its screen: the keyboard goes on in the next one, not at the top of the page.
  const first = useRef(pathname);
  useEffect(() => {
    if (first.current !== pathname && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    first.current = '';
  }, [pathname]);
  const within = narrowedTo();
  const gone = within !== null && isGone(within);
  useCommands({ files: () => chooseFiles(take), theme: switchTheme, 'copy-link': copy, help: openHelp, actions: () => openPalette('>'), palette: () => openPalette() });
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>Skip to the content</a>
      <header class="top">
        <a href="/" class="logo" aria-label="Underlay, home"><Logo /><b>Underlay</b></a>
        <Where />
        <Trail />
        <span class="grow" />
        <button type="button" class="search" onClick={() => openPalette()}><span>Search or run a command</span><kbd>{keyWords('Mod+k')}</kbd></button>
        <Waiting />
        <Live />
        <button type="button" class="plain" onClick={switchTheme} title="Switch between light and dark" aria-label={`Theme: ${theme.value}. Switch between light and dark`}>{theme.value === 'dark' ? '☾' : '☀'}</button>
        <button type="button" class="plain" onClick={openHelp} title="Keys of this page" aria-label="Keys of this page">?</button>
        <Who />
      </header>
      <Kinds />
      <main id="main" tabIndex={-1}>
        {notice.value && <div class="notice" role="status">{notice.value} <button type="button" onClick={() => { notice.value = null; }}>Good</button></div>}
        {(cut.value || !reached.value) && <div class="notice bad" role="alert">The connection to the server is cut. What is shown may be old; the page mends itself when the server is back.</div>}
        {gone && <div class="notice bad" role="alert">The place of this address does not exist any more, or you may not see it. So there is nothing in it. <button type="button" onClick={() => setParams({ [IN]: null })}>Show all places</button></div>}
        {children}
      </main>
      <Toasts />
    </div>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true" width="18" height="18">
      <path d="M4 4v8a7 7 0 0 0 14 0V4" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
      <circle cx="4" cy="4" r="2.6" fill="currentColor" /><circle cx="18" cy="4" r="2.6" fill="currentColor" />
    </svg>
  );
}

/** The place that everything is narrowed to, and the way to another one. */
function Where() {
  const opener = useMemo<{ open?: () => void }>(() => ({}), []);
  const id = narrowedTo();
  const choose = (to: string | null): void => setParams({ [IN]: to });
  useCommands({ place: () => opener.open?.() });
  return (
    <span class={id ? 'where narrowed' : 'where'}>
      <Menu label={<bdi>{id ? nameById(id) ?? (isGone(id) ? 'A place that is gone' : '…') : 'Everywhere'}</bdi>} title="Narrow everything to a place" class="plain" opener={opener}>
        {(close) => <Places chosen={id} onChoose={(to) => { close(); choose(to); }} />}
      </Menu>
      {id && <button type="button" class="plain" aria-label="Show all places" title="Show all places" onClick={() => choose(null)}>✕</button>}
    </span>
  );
}

/** The path of the object: its containers, from the outside in. */
function Trail() {
  const at = currentRoute.value;
  const steps = trail.value;
  return (
    <nav class="trail" aria-label="Breadcrumb">
      <ol>
        {at.kind && <li><a href={`/${segmentOf(at.kind)}`}>{pluralOf(at.kind.name)}</a></li>}
        {steps.map((it) => <li key={it.path}><a href={it.path} aria-current={it.path === url.value.pathname ? 'page' : undefined}><bdi>{it.name}</bdi></a></li>)}
      </ol>
    </nav>
  );
}

/** The review that waits to be written, on every other screen. */
function Waiting() {
  const it = review.value;
  if (!it || currentRoute.value.screen === 'review') return null;
  const count = it.steps.length;
  return <a class={`button${it.sent ? ' danger' : ''}`} href="/review" title={it.title}>{it.sent ? 'A write has no answer' : `Review ${number(count)} ${count === 1 ? 'change' : 'changes'}`}</a>;
}

const STATES = { starting: 'connecting', live: 'live', away: 'away: tries to connect again' };

function Live() {
  return (
    <span class="live" role="status" title={`The feed is ${STATES[state.value]}`}>
      <span class={`dot ${state.value}`} aria-hidden="true" />
      <span class="hidden">The feed is {STATES[state.value]}. </span>
      {state.value === 'live' ? '' : `${STATES[state.value].split(':')[0]} · `}<a href="/changes">revision {revision.value}</a>
    </span>
  );
}

const WAYS = {
  open: 'This server lets everybody in.',
  local: 'You run this server, and are signed in as its user.',
  token: 'You brought a token; it stays in this tab.',
  oidc: 'You are signed in at your issuer.',
};

function Who() {
  const it = session.value;
  const me = viewer.value;
  return (
    <Menu label={me?.actor ?? 'Me'} title="Who I am" class="plain">
      {() => (
        <div class="who">
          {me && <p><b><bdi>{me.actor}</bdi></b>, {me.roles.join(', ') || 'no role'}{me.tenant && <>, tenant <bdi>{me.tenant}</bdi></>}{me.source && <>, source <bdi>{me.source}</bdi></>}</p>}
          <p>{it ? WAYS[it.way] : 'Not signed in.'}</p>
          {me?.expires && <p class="quiet">The token is valid until {time(me.expires)}.</p>}
          {it?.version && <p class="quiet">Server {it.version}</p>}
          {it && it.way !== 'local' && it.way !== 'open' && <button type="button" onClick={leave}>Sign out</button>}
        </div>
      )}
    </Menu>
  );
}

function Kinds() {
  const counts = useQuery<Record<string, { totalCount: number } | null>>(COUNTS, Object.fromEntries(kinds().map((it) => [it.name, placeFilter(it.name, narrowedTo())])), 'all');
  const at = currentRoute.value.kind?.name;
  return (
    <nav class="kinds" aria-label="Kinds">
      {groups().map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.kinds.map((it) => (
              <li key={it.name}>
                <a href={`/${segmentOf(it)}`} title={`${about(it.name) ?? ''}${narrowedTo() && !isPlaced(it.name) ? ' They are in no place, and all are shown.' : ''}`} aria-current={at === it.name ? 'page' : undefined}>
                  <span>{pluralOf(it.name)}</span>
                  <span class="count">{number(counts.data.value?.[it.name]?.totalCount ?? 0)}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {['What if', 'Operation', 'History'].map((menu) => {
        const routes = ROUTES.filter((it) => it.menu === menu);
        return routes.length > 0 && (
          <section key={menu} aria-label={menu}>
            <h2>{menu}</h2>
            <ul>{routes.map((it) => <li key={it.path}><a href={it.path} aria-current={currentRoute.value.screen === it.screen ? 'page' : undefined}><span>{it.title}</span></a></li>)}</ul>
          </section>
        );
      })}
    </nav>
  );
}
