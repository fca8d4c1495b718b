// Tokens with which machines enrol their agents: the queries, and what is said about them. Pure.

export const TOKENS = 'query EnrolmentTokens { enrolmentTokens { id site { id name } class { id name } registers count used endsAt issuedAt issuedTo revokedAt } }';
export const ISSUE = 'mutation IssueEnrolment($input: IssueEnrolmentTokenInput!) { issueEnrolmentToken(input: $input) { token } }';
export const REVOKE = 'mutation RevokeEnrolment($id: ID!) { revokeEnrolmentToken(id: $id) { enrolmentToken { id } } }';

interface Named { id: string; name: string }
export interface EnrolmentToken {
  id: string; site: Named | null; class: Named | null; registers: boolean; count: number; used: number; endsAt: string; issuedAt: string; issuedTo: string;
  revokedAt: string | null;
}

export interface State { title: string; tone: string; isAccepted: boolean }

/** Whether a token is accepted, and if not, why. */
export function stateOf({ revokedAt, endsAt, used, count }: EnrolmentToken, now = Date.now()): State {
  if (revokedAt) return { title: 'Revoked', tone: 'off', isAccepted: false };
  if (Date.parse(endsAt) <= now) return { title: 'Ended', tone: 'off', isAccepted: false };
  if (used >= count) return { title: 'Used up', tone: 'off', isAccepted: false };
  return { title: 'Accepted', tone: 'good', isAccepted: true };
}

const HOUR_MS = 3_600_000;
/** For how long a token can be accepted. The server allows a year. */
export const LIVES: Array<[string, number]> = [['an hour', 1], ['8 hours', 8], ['a day', 24], ['a week', 7 * 24], ['30 days', 30 * 24], ['a year', 365 * 24]];
export const endsAt = (hours: number, now = Date.now()): string => new Date(now + hours * HOUR_MS).toISOString();
