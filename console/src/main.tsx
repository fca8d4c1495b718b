// Starts the console, and gives lazily loaded screens what they share with it.
import { Component, render } from 'preact';
import type { ComponentChildren } from 'preact';
import { loadAbout } from './kinds/about.ts';
import type { Kind } from './kinds/shape.ts';
import { Failure } from './parts/failure.tsx';
import { lazy } from './parts/lazy.tsx';
import { startKeys } from './keys.ts';
import { currentRoute, start, titleOfRoute, url } from './routes.ts';
import { Frame } from './screens/frame.tsx';
import { HomeScreen } from './screens/home.tsx';
import { LAZY } from './screens/lazy.tsx';
import { ListScreen } from './screens/list.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { ask, wrote } from './server/ask.ts';
import { live } from './server/live.ts';
import { asRefused } from './server/refused.ts';
import type { Refused } from './server/refused.ts';
import { enter, tokenNeeded } from './server/who.ts';
import { keepLastRevision } from './store/last-revision.ts';
import { form, helpShown, paletteText } from './store/overlays.ts';
import { loadViewer } from './store/viewer.ts';
import { startTheme } from './store/theme.ts';

export { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
export * from './shared.ts';

const FormDialog = lazy(async () => (await import('./screens/form.lazy.tsx')).FormDialog, 'over');
const Help = lazy(async () => (await import('./screens/help.lazy.tsx')).Help, 'over');
const Palette = lazy(async () => (await import('./screens/palette.lazy.tsx')).Palette, 'over');
const DetailScreen = lazy<{ kind: Kind; rest: string[] }>(async () => (await import('./screens/detail.lazy.tsx')).DetailScreen);
const ChangesScreen = lazy(async () => (await import('./screens/changes.lazy.tsx')).ChangesScreen);
const RevisionScreen = lazy<{ revision: number }>(async () => (await import('./screens/changes.lazy.tsx')).RevisionScreen);
const RackScreen = lazy<{ rest: string[] }>(async () => (await import('./screens/rack.lazy.tsx')).RackScreen);
const RowScreen = lazy(async () => (await import('./screens/rack.lazy.tsx')).RowScreen);
const TraceScreen = lazy<{ kind: Kind; rest: string[]; power: boolean }>(async () => (await import('./screens/trace.lazy.tsx')).TraceScreen);
const PatchScreen = lazy(async () => (await import('./screens/patch.lazy.tsx')).PatchScreen);
const ReviewScreen = lazy(async () => (await import('./screens/review.lazy.tsx')).ReviewScreen);

/** A screen that fails shows its error; the frame and the other screens go on. */
class Boundary extends Component<{ children: ComponentChildren; of: string }, { error: Refused | null }> {
  override state = { error: null as Refused | null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error: asRefused(error) });
  }

  override componentDidUpdate(before: { of: string }): void {
    if (before.of !== this.props.of && this.state.error) this.setState({ error: null });
  }

  override render() {
    return this.state.error ? <Failure error={this.state.error} again={() => this.setState({ error: null })} /> : this.props.children;
  }
}

function Screen() {
  const { screen, kind, rest } = currentRoute.value;
  if (screen === 'home') return <HomeScreen />;
  if (screen === 'list' && kind) return <ListScreen kind={kind} />;
  if (screen === 'detail' && kind) return <DetailScreen kind={kind} rest={rest} key={rest.join('/')} />;
  if (screen === 'changes') return <ChangesScreen />;
  if (screen === 'revision' && /^[1-9]\d*$/.test(rest[0] ?? '')) return <RevisionScreen revision={Number(rest[0])} key={rest[0]} />;
  if (screen === 'elevation') return <RackScreen rest={rest} key={rest.join('/')} />;
  if (screen === 'elevations') return <RowScreen />;
  if ((screen === 'trace' || screen === 'power') && kind) return <TraceScreen kind={kind} rest={rest} power={screen === 'power'} key={rest.join('/')} />;
  if (screen === 'patch') return <PatchScreen />;
  if (screen === 'review') return <ReviewScreen />;
  const Other = LAZY[screen];
  if (Other) return <Other key={screen} />;
  return (
    <section class="page">
      <h1>Nothing here</h1>
      <p>There is nothing at <bdi>{url.value.pathname}</bdi>. <a href="/">Go home</a></p>
    </section>
  );
}

function App() {
  if (tokenNeeded.value) return <SignIn />;
  document.title = `${titleOfRoute(currentRoute.value)} · Underlay`;
  const of = `${currentRoute.value.screen} ${currentRoute.value.kind?.name} ${currentRoute.value.rest.join('/')}`;
  return (
    <>
      <Frame><Boundary of={of}><Screen /></Boundary></Frame>
      {form.value && <FormDialog />}
      {helpShown.value && <Help />}
      {paletteText.value !== null && <Palette />}
    </>
  );
}

async function begin(): Promise<void> {
  startTheme();
  start();
  startKeys();
  keepLastRevision();
  const root = document.getElementById('app');
  if (!root) return;
  try {
    await enter();
    // After the sign-in at an issuer, the page is at the address where the sign-in began.
    url.value = new URL(location.href);
    if (!tokenNeeded.value) wrote((await ask<{ revision: number }>('{ revision }')).data.revision);
  } catch (error) {
    console.error(error);
  }
  render(<App />, root);
  if (!tokenNeeded.value) void live();
  loadViewer().catch(() => {});
  void loadAbout();
}

void begin();
