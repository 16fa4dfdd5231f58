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
      ? 'No partner is named: set `partner` to the name that `create-operator` gave you.'
      : `The cashier knows no partner "${name}": set \`partner\` to the name that \`create-operator\` gave you.`,
  );
}

function origin({ origin: page, operator, publicUrl }: HostFacts): Finding {
  if (page === undefined) return skipped('origin', 'No page was named.');
  if (!URL.canParse(page) || new URL(page).origin !== page) {
    return bad(
      'origin',
      'origin-malformed',
      `"${page}" is no origin of a page: serve the page over http(s), and name scheme, host and port without a path.`,
    );
  }
  if (operator && !operator.allowedOrigins.includes(page)) {
    return bad(
      'origin',
      'origin-not-listed',
      `The page ${page} is not on the list of "${operator.partnerKey}", so browsers refuse to frame the cashier there: ` +
        `run \`opencashier add-origin ${operator.partnerKey} ${page}\`.`,
    );
  }
  if (page.startsWith('https:') && publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname)) {
    return bad(
      'origin',
      'page-insecure',
      `The page ${page} is https and the cashier ${publicUrl} is not, so browsers block it: serve the cashier over https.`,
    );
  }
  return good('origin', `The page ${page} may frame the cashier.`);
}

function frames({ ancestors, operator }: HostFacts): Finding {
  if (ancestors.length === 0) return skipped('frames', 'The page is framed by no other page.');
  const unknown = operator && ancestors.find((outer) => !operator.allowedOrigins.includes(outer));
  if (unknown === undefined) return good('frames', 'Every page around the page is on the list.');
  return bad(
    'frames',
    'origin-not-listed',
    `The page stands in a frame of ${unknown}, which is not on the list: open your page by itself, or run \`opencashier add-origin\` for that origin, too.`,
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
    `The page's Content-Security-Policy forbids the frame: add \`frame-src ${cashier}\` to it.`,
  );
}

function token(facts: HostFacts): Finding {
  const { token: text, identity, operator } = facts;
  if (text === undefined) return skipped('token', 'No user token was given.');
  if (text.startsWith('sk_')) {
    return bad(
      'token',
      'token-is-secret-key',
      'The page holds the secret operator key instead of a user token: replace that key now, and let your backend ask ' +
        '`POST /operator/v1/user-tokens` for the token.',
    );
  }
  if (text === '') {
    return bad(
      'token',
      'token-missing',
      '`getToken` answered no token: let it return the text `token` of your backend’s `POST /operator/v1/user-tokens`.',
    );
  }
  if (identity?.kind === 'refused' && identity.code === 'token-expired') {
    return bad(
      'token',
      'token-expired',
      'The user token has expired: let `getToken` ask your backend for a new one each time, and keep none.',
    );
  }
  if (identity?.kind !== 'user') {
    return bad(
      'token',
      'token-refused',
      'The user token was not made by this cashier, or was changed on the way: pass on unchanged what ' +
        '`POST /operator/v1/user-tokens` of the same cashier answered.',
    );
  }
  if (operator && identity.caller.operatorId !== operator.id) {
    return bad(
      'token',
      'token-of-other-partner',
      `The user token belongs to another partner than "${operator.partnerKey}": ask for it with that partner's own key.`,
    );
  }
  return good('token', 'The user token is good.');
}

function user({ identity, userId }: HostFacts): Finding {
  if (identity?.kind !== 'user' || userId === undefined) return skipped('user', 'No user was compared.');
  if (identity.caller.userId === userId) return good('user', 'The token is of the user that the page names.');
  return bad(
    'user',
    'user-differs',
    'The page names another `userId` than its token is of: take both from the session of the signed-in user, or leave `userId` out.',
  );
}
