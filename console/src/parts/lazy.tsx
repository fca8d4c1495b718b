// A part of the page that is loaded when it is first shown.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refused } from '../server/refused.ts';
import { Failure } from './failure.tsx';

/** `over`: a part that stands over the page shows nothing until it is there. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, how: 'in' | 'over' = 'in'): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, show] = useState(0);
    const [failed, setFailed] = useState(false);
    const begin = (): void => {
      setFailed(false);
      load().then((it) => { loaded = it; show(1); }, () => setFailed(true));
    };
    useEffect(() => { if (!loaded) begin(); }, []);
    if (failed) return <Failure error={new Refused('NETWORK', 'A part of the console cannot be loaded.')} again={begin} />;
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return how === 'in' ? <p class="waiting">Reading…</p> : null;
  };
}
