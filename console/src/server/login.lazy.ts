// Signing in at an OpenID Connect issuer: authorization code with PKCE (RFC 7636, RFC 9700). The token stays in memory.
import * as oauth from 'oauth4webapi';
import type { Oidc } from './who.ts';

/** The state that has to survive the way to the issuer and back. It holds no token. */
interface Pending {
  verifier: string;
  state: string;
  nonce: string;
  back: string;
}

const KEPT = 'underlay-login';
const options = (issuer: URL): { [oauth.allowInsecureRequests]?: boolean } =>
  (issuer.protocol === 'http:' ? { [oauth.allowInsecureRequests]: true } : {});

/** The issuer sends people back to the console's first page. */
const redirect = (): string => `${location.origin}/`;

async function discover(oidc: Oidc): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(oidc.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options(issuer) });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Leaves the page for the issuer's. */
export async function begin(oidc: Oidc): Promise<void> {
  const server = await discover(oidc);
  if (!server.authorization_endpoint) throw new Error(`${oidc.issuer} has no authorization endpoint.`);
  const pending: Pending = {
    verifier: oauth.generateRandomCodeVerifier(), state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(),
    back: location.pathname + location.search,
  };
  sessionStorage.setItem(KEPT, JSON.stringify(pending));
  const to = new URL(server.authorization_endpoint);
  const asked = {
    response_type: 'code', client_id: oidc.clientId, redirect_uri: redirect(), scope: oidc.scopes, state: pending.state, nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier), code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
  location.assign(to);
}

export interface Tokens {
  token: string;
  /** Seconds until the token ends, if the issuer says it. */
  expiresIn: number | undefined;
  refresh: string | undefined;
  back: string;
}

/** Changes the code in the address into a token. It answers null if nobody was sent back here. */
export async function finish(oidc: Oidc, address: URL): Promise<Tokens | null> {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept || !address.searchParams.has('state')) return null;
  sessionStorage.removeItem(KEPT);
  const pending = JSON.parse(kept) as Pending;
  const server = await discover(oidc);
  const client: oauth.Client = { client_id: oidc.clientId };
  const answered = oauth.validateAuthResponse(server, client, address, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server, client, oauth.None(), answered, redirect(), pending.verifier, options(new URL(oidc.issuer)));
  const it = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: pending.nonce, requireIdToken: true });
  return { token: it.access_token, expiresIn: it.expires_in, refresh: it.refresh_token, back: pending.back };
}

/** Renews a token with the refresh token that came with it. */
export async function renew(oidc: Oidc, refresh: string): Promise<Tokens> {
  const server = await discover(oidc);
  const client: oauth.Client = { client_id: oidc.clientId };
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh, options(new URL(oidc.issuer)));
  const it = await oauth.processRefreshTokenResponse(server, client, response);
  return { token: it.access_token, expiresIn: it.expires_in, refresh: it.refresh_token ?? refresh, back: '' };
}
