/**
 * How well an account answers, as a pure reducer of its tries (SRV-4). An account that fails is demoted: other accounts are tried first.
 * After a pause a small share of the payments probes it. Time is injected, in milliseconds since the epoch.
 */
import type { HealthFacts } from './route.ts';

/**
 * How a try ended.
 * - `accepted`: the provider has the payment.
 * - `declined`: it refused this payment for good. It says more about the payer than about the provider.
 * - `failed`: it certainly moved no money and could not take the request.
 * - `unknown`: nobody knows whether it has the payment.
 */
export type TryOutcome = 'accepted' | 'declined' | 'failed' | 'unknown';

/** What is remembered of an account. Plain data. */
export interface AccountHealth {
  /** The last tries, the oldest first, a letter each: `a`, `d`, `f` or `u`. At most {@link REMEMBERED_TRIES}. */
  readonly outcomes: string;
  /** Until then the account is demoted. Null: it is well. A time that has passed: it is being probed. */
  readonly demotedUntil: number | null;
  /** How often it was demoted since it was well. Each time doubles the pause. */
  readonly demotions: number;
  /** The probes that were accepted since the last demotion. */
  readonly probesAccepted: number;
  /** When it was demoted or became well, for nodes that tell each other. 0: never. */
  readonly changedAt: number;
  /** Tries that began since the last answer and have not ended. Of this node alone. */
  readonly unanswered: number;
  /** When the last try of this node began. 0: none did. */
  readonly beganAt: number;
}

/** The tries that the success rate counts. */
export const REMEMBERED_TRIES = 50;
/** Only these tries can demote an account. */
export const JUDGED_TRIES = 20;
/** So many `failed` and `unknown` of the judged tries demote an account. */
export const FAILURES_TO_DEMOTE = 8;
/** The share of the payments that begins with an account whose pause is over. */
export const PROBE_SHARE = 0.1;
/** So many accepted probes in a row end a demotion. */
export const PROBES_TO_RECOVER = 2;
/** The pause of the first demotion. It doubles with each probe that fails. */
export const FIRST_PAUSE_MS = 60_000;
export const LONGEST_PAUSE_MS = 15 * 60_000;
/** So many tries without any answer, and the account waits behind those that answer. */
export const SILENT_TRIES = 20;
/** Longer than any call. After such a time without a new try, none of the tries before can still be waiting. */
export const LONGEST_TRY_MS = 30_000;

/** An account that was never tried. */
export const UNTRIED: AccountHealth = {
  outcomes: '',
  demotedUntil: null,
  demotions: 0,
  probesAccepted: 0,
  changedAt: 0,
  unanswered: 0,
  beganAt: 0,
};

const LETTERS: Readonly<Record<TryOutcome, string>> = { accepted: 'a', declined: 'd', failed: 'f', unknown: 'u' };

/** A try begins. @param now ms since the epoch */
export function beginTry(health: AccountHealth, now: number): AccountHealth {
  const waiting = now - health.beganAt > LONGEST_TRY_MS ? 0 : health.unanswered;
  return { ...health, unanswered: waiting + 1, beganAt: now };
}

/** A try has ended. @param now ms since the epoch */
export function endTry(health: AccountHealth, outcome: TryOutcome, now: number): AccountHealth {
  const outcomes = (health.outcomes + LETTERS[outcome]).slice(-REMEMBERED_TRIES);
  // Any answer proves that the account answers. An unknown outcome may be a provider that does not.
  const unanswered = outcome === 'unknown' ? Math.max(0, health.unanswered - 1) : 0;
  const after: AccountHealth = { ...health, outcomes, unanswered };
  if (health.demotedUntil === null) return isFailing(outcomes) ? demoted(after, now) : after;
  // What began before the demotion ends during the pause. It neither proves nor disproves a recovery.
  if (now < health.demotedUntil) return after;
  // A decline says nothing about a provider that failed, but everything about one that only declines.
  if (outcome === 'declined') return acceptsNothing(outcomes) ? demoted(after, now) : after;
  if (outcome !== 'accepted') return demoted(after, now);
  const probesAccepted = health.probesAccepted + 1;
  if (probesAccepted < PROBES_TO_RECOVER) return { ...after, probesAccepted };
  // The failures before are forgotten. Otherwise the next failure would demote the account again.
  return {
    ...UNTRIED,
    outcomes: LETTERS.accepted.repeat(probesAccepted),
    unanswered,
    beganAt: health.beganAt,
    changedAt: now,
  };
}

/** What a decision needs of a health at a time. @param now ms since the epoch */
export function healthFacts(health: AccountHealth, now: number): HealthFacts {
  const { outcomes, demotedUntil, unanswered, beganAt } = health;
  return {
    phase: demotedUntil === null ? 'well' : now < demotedUntil ? 'demoted' : 'probing',
    tries: outcomes.length,
    accepted: countOf(outcomes, LETTERS.accepted),
    isSilent: unanswered >= SILENT_TRIES && now - beganAt <= LONGEST_TRY_MS,
  };
}

/**
 * The health of an account that two nodes know. The later change of the phase counts with its tries, since the tries before it are
 * judged already. Without one, the longer memory counts.
 */
export function mergeHealth(own: AccountHealth, other: AccountHealth): AccountHealth {
  const isOthers =
    other.changedAt > own.changedAt ||
    (other.changedAt === own.changedAt && other.outcomes.length > own.outcomes.length);
  return isOthers ? { ...other, unanswered: own.unanswered, beganAt: own.beganAt } : own;
}

/** Eight failures of twenty, or twenty tries of which none was accepted: a provider that declines everything is no use either. */
function isFailing(outcomes: string): boolean {
  const judged = outcomes.slice(-JUDGED_TRIES);
  const failures = countOf(judged, LETTERS.failed) + countOf(judged, LETTERS.unknown);
  return failures >= FAILURES_TO_DEMOTE || acceptsNothing(outcomes);
}

function acceptsNothing(outcomes: string): boolean {
  return outcomes.length >= JUDGED_TRIES && !outcomes.slice(-JUDGED_TRIES).includes(LETTERS.accepted);
}

function demoted(health: AccountHealth, now: number): AccountHealth {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(health.demotions, 10));
  return {
    ...health,
    demotedUntil: now + pause,
    demotions: health.demotions + 1,
    probesAccepted: 0,
    changedAt: now,
    unanswered: 0,
  };
}

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1;
}
