// The way in: what the server says about authentication, and the token of this tab.
import { signal } from '@preact/signals';

export interface Oidc {
  issuer: string;
  clientId: string;
  scopes: string;
}

/** The answer of `GET /console/session`. */
export type Session =
  | { version: string; way: 'open' | 'token' }
  | { version: string; way: 'local'; token: string }
  | { version: string; way: 'oidc'; oidc: Oidc };

const KEPT = 'underlay-token';

export const session = signal<Session | null>(null);
export const token = signal(sessionStorage.getItem(KEPT) ?? '');
/** True if the server refused the token, or wants one and there is none. */
export const tokenNeeded = signal(false);
/** True if this tab had a token, which the server no longer accepts. */
export const ended = signal(false);
/** The reason why signing in did not work. */
export const signInError = signal<string | null>(null);
let refresh: string | undefined;

/** Asks the server for the way in, and goes it as far as that needs nobody. */
export async function enter(): Promise<void> {
  const response = await fetch('/console/session', { headers: { accept: 'application/json' } });
  const it = response.ok && response.headers.get('content-type')?.includes('json')
    ? (await response.json()) as Session
    // A server that does not say how to sign in takes a token that the user brings.
    : { version: '', way: 'token' as const };
  session.value = it;
  if (it.way === 'local') token.value = it.token;
  if (it.way === 'oidc') await comeBack(it.oidc);
  tokenNeeded.value = (it.way === 'token' || it.way === 'oidc') && !token.value;
}

/** Takes the token of somebody whom the issuer sent back here. */
async function comeBack(oidc: Oidc): Promise<void> {
  const address = new URL(location.href);
  if (!address.searchParams.has('state')) return;
  try {
    const it = await (await import('./login.lazy.ts')).finish(oidc, address);
    // The code is spent: it stays in no history.
    history.replaceState(null, '', it?.back ?? '/');
    if (!it) return;
    token.value = it.token;
    refresh = it.refresh;
  } catch (error) {
    history.replaceState(null, '', '/');
    signInError.value = error instanceof Error ? error.message : String(error);
  }
}

/** Leaves the page to sign in at the issuer. */
export async function signIn(oidc: Oidc): Promise<void> {
  try {
    await (await import('./login.lazy.ts')).begin(oidc);
  } catch (error) {
    signInError.value = error instanceof Error ? error.message : String(error);
  }
}

/** Takes a token that somebody brought. It lives in memory and in this tab's session storage. */
export function bring(brought: string): void {
  sessionStorage.setItem(KEPT, brought);
  token.value = brought;
  tokenNeeded.value = false;
}

/** The keys that stay in the browser after a sign-out: settings, which reveal nothing of the user. */
const SETTINGS = ['underlay-theme', 'underlay-keys', 'underlay-rack-size'];

/** Forgets the token of this tab, and with it what was looked at and prepared: the next one here may be somebody else. */
export function leave(): void {
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith('underlay-') && !SETTINGS.includes(key)) localStorage.removeItem(key);
  // A new page has nothing in memory either.
  location.assign('/');
}

let renewing: Promise<boolean> | null = null;

/** Called when the server refuses the token. Answers true if there is a new one to try with. */
export function refused(): Promise<boolean> {
  renewing ??= renew().finally(() => { renewing = null; });
  return renewing;
}

async function renew(): Promise<boolean> {
  const it = session.value;
  const before = token.value;
  if (it?.way === 'local') {
    await enter();
    return token.value !== '' && token.value !== before;
  }
  if (it?.way === 'oidc' && refresh) {
    const old = refresh;
    refresh = undefined;
    try {
      const renewed = await (await import('./login.lazy.ts')).renew(it.oidc, old);
      [token.value, refresh] = [renewed.token, renewed.refresh];
      return true;
    } catch {
      // The issuer ended the session: people sign in again.
    }
  }
  ended.value = before !== '';
  tokenNeeded.value = true;
  return false;
}
