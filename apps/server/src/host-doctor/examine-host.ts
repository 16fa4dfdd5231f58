/**
 * Finds what keeps the cashier from working in a host's page. Each finding is a sentence with its remedy (HOST-7, HOST-11). Pure:
 * the caller has looked up the operator and verified the token.
 */
import { isLoopback } from '@opencashier/core/links/safe-link';
import type { Identity } from '../operators/identity.ts';
import type { Operator } from '../operators/operators.ts';
import { frameSourcesOf, isSourceAllowed } from './frame-sources.ts';

export interface HostFacts {
  /** The partner key that the page uses. */
  readonly partner: string;
  /** The operator with this partner key, if there is one. */
  readonly operator: Operator | undefined;
  /** Origin of the page that frames the cashier. Absent: not known. */
  readonly origin?: string | undefined;
  /** Origins of the pages around that page. A browser checks each of them against the list. */
  readonly ancestors: readonly string[];
  /** `payload.userId`, if the host sends it. */
  readonly userId?: string | undefined;
  /** The token that `getToken` answered. Absent: not known. Empty: `getToken` answered nothing. */
  readonly token?: string | undefined;
  /** The identity of the token. Undefined: the token is not known. */
  readonly identity?: Identity | undefined;
  /** The page's Content-Security-Policy header. Absent: not known. */
  readonly policy?: string | undefined;
  /** The cashier's own address. */
  readonly publicUrl: string;
}

export type ProblemCode =
  | 'partner-unknown'
  | 'origin-malformed'
  | 'origin-not-listed'
  | 'page-insecure'
  | 'frame-policy'
  | 'token-missing'
  | 'token-is-secret-key'
  | 'token-refused'
  | 'token-expired'
  | 'token-of-other-partner'
  | 'user-differs';

/** The subjects that are examined, in the order of the page. */
export const subjects = ['partner', 'origin', 'frames', 'policy', 'token', 'user'] as const;
export type Subject = (typeof subjects)[number];

export interface Finding {
  readonly subject: Subject;
  /** `skipped`: nothing is known about the subject. */
  readonly verdict: 'good' | 'bad' | 'skipped';
  readonly code?: ProblemCode;
  /** One sentence in English: what is wrong, and what to do. */
  readonly message: string;
}

export function examineHost(facts: HostFacts): Finding[] {
  return [partner(facts), origin(facts), frames(facts), policy(facts), token(facts), user(facts)];
}

const good = (subject: Subject, message: string): Finding => ({ subject, verdict: 'good', message });
const skipped = (subject: Subject, message: string): Finding => ({ subject, verdict: 'skipped', message });
const bad = (subject: Subject, code: ProblemCode, message: string): Finding => ({
  subject,
  verdict: 'bad',
  code,
  message,
});

function partner({ partner: name, operator }: HostFacts): Finding {
  if (operator) return good('partner', `The cashier knows the partner "${name}".`);
  return bad(
    'partner',
    'partner-unknown',
    name === ''
      ? 'The page sets no `partner`. Set it to the name that you gave to `opencashier create-operator`.'
      : `The cashier does not know the partner "${name}". Set \`partner\` to the name that you gave to \`opencashier create-operator\`.`,
  );
}

function origin({ origin: page, operator, publicUrl }: HostFacts): Finding {
  if (page === undefined) return skipped('origin', 'No origin was given.');
  if (!URL.canParse(page) || new URL(page).origin !== page) {
    return bad(
      'origin',
      'origin-malformed',
      `"${page}" is not the origin of a page. Serve the page over http or https, and write scheme, host and port without a path.`,
    );
  }
  if (operator && !operator.allowedOrigins.includes(page)) {
    return bad(
      'origin',
      'origin-not-listed',
      `The page ${page} is not on the list of "${operator.partnerKey}", so browsers refuse to frame the cashier there. ` +
        `Run \`opencashier add-origin ${operator.partnerKey} ${page}\`.`,
    );
  }
  if (page.startsWith('https:') && publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname)) {
    return bad(
      'origin',
      'page-insecure',
      `The page ${page} uses https and the cashier ${publicUrl} does not, so browsers block the cashier. Serve the cashier over https.`,
    );
  }
  return good('origin', `The page ${page} may frame the cashier.`);
}

function frames({ ancestors, operator }: HostFacts): Finding {
  if (ancestors.length === 0) return skipped('frames', 'The page is not in a frame of another page.');
  const unknown = operator && ancestors.find((outer) => !operator.allowedOrigins.includes(outer));
  if (unknown === undefined) return good('frames', 'All pages that frame this page are on the list.');
  return bad(
    'frames',
    'origin-not-listed',
    `The page is in a frame of ${unknown}, which is not on the list. Open your page outside that frame, or run \`opencashier add-origin\` for that origin, too.`,
  );
}

function policy({ policy: text, publicUrl }: HostFacts): Finding {
  if (text === undefined) return skipped('policy', 'No Content-Security-Policy was given.');
  const cashier = new URL(publicUrl).origin;
  const sources = frameSourcesOf(text);
  if (sources === undefined || isSourceAllowed(cashier, sources)) {
    return good('policy', `The page's Content-Security-Policy lets it frame ${cashier}.`);
  }
  return bad(
    'policy',
    'frame-policy',
    `The page's Content-Security-Policy forbids the frame. Add \`frame-src ${cashier}\` to the policy.`,
  );
}

function token(facts: HostFacts): Finding {
  const { token: text, identity, operator } = facts;
  if (text === undefined) return skipped('token', 'No user token was given.');
  if (text.startsWith('sk_')) {
    return bad(
      'token',
      'token-is-secret-key',
      'The page has the secret operator key instead of a user token. Replace that key now. Let your backend request the token ' +
        'from `POST /operator/v1/user-tokens`.',
    );
  }
  if (text === '') {
    return bad(
      'token',
      'token-missing',
      '`getToken` returned no token. Let it return `token` from the response of `POST /operator/v1/user-tokens`, which your backend calls.',
    );
  }
  if (identity?.kind === 'refused' && identity.code === 'token-expired') {
    return bad(
      'token',
      'token-expired',
      'The user token has expired. Let `getToken` request a new token from your backend each time, and do not store tokens.',
    );
  }
  if (identity?.kind !== 'user') {
    return bad(
      'token',
      'token-refused',
      'The user token comes from another cashier, or was changed. Pass on the token of ' +
        '`POST /operator/v1/user-tokens` of this cashier without a change.',
    );
  }
  if (operator && identity.caller.operatorId !== operator.id) {
    return bad(
      'token',
      'token-of-other-partner',
      `The user token does not belong to the partner "${operator.partnerKey}". Request it with the secret key of that partner.`,
    );
  }
  return good('token', 'The user token is valid.');
}

function user({ identity, userId }: HostFacts): Finding {
  if (identity?.kind !== 'user' || userId === undefined) return skipped('user', 'No user was compared.');
  if (identity.caller.userId === userId) return good('user', 'The token and `userId` name the same user.');
  return bad(
    'user',
    'user-differs',
    '`userId` and the token name different users. Take both from the session of the signed-in user, or leave `userId` out.',
  );
}
