// Asks people to sign in, where the server wants a token.
import { useState } from 'preact/hooks';
import { bring, ended, session, signIn, signInError, tokenNeeded } from '../server/who.ts';

export function SignIn() {
  const [text, setText] = useState('');
  if (!tokenNeeded.value) return null;
  const it = session.value;
  const submit = (event: Event): void => {
    event.preventDefault();
    bring(text.trim());
    location.reload();
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>Underlay</h1>
        {signInError.value && <p class="wrong" role="alert">Signing in did not work: {signInError.value}</p>}
        {ended.value && <p class="wrong" role="alert">The server no longer accepts the token of this tab. It may have expired. After signing in, you are back at this page.</p>}
        {it?.way === 'oidc' && (
          <>
            <button type="button" class="main" onClick={() => void signIn(it.oidc)}>Sign in at {new URL(it.oidc.issuer).host}</button>
            <h2 class="sub">Or bring a token</h2>
          </>
        )}
        <p>This server wants a token. <code>underlay token create</code> makes one, and one of a trusted issuer works, too.</p>
        <label>Token <input type="password" autocomplete="off" spellcheck={false} required value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
        <button type="submit" class={it?.way === 'oidc' ? undefined : 'main'}>Use the token</button>
        <p class="quiet">The token stays in this tab, and is forgotten when it is closed.</p>
      </form>
    </main>
  );
}
