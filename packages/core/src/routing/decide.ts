/** Decides which accounts a deposit tries, and in which order (SRV-4). A pure function: the same inputs give the same decision. */

import { decimalsOf } from '../money/currencies.ts';
import { feeOf } from '../money/fee.ts';
import { parseDecimal } from '../money/money.ts';
import { PROBE_SHARE } from './account-health.ts';
import type {
  CandidateFacts,
  HealthFacts,
  Placement,
  Rejection,
  Route,
  RouteCandidate,
  RoutingDecision,
  RoutingInputs,
} from './route.ts';
import { seededShare, weightedOrder } from './seeded-share.ts';

/** A candidate that may take the payment. */
interface Ranked {
  readonly candidate: RouteCandidate;
  readonly health: HealthFacts;
  readonly cost: bigint | null;
  readonly successRate: number;
}

type Because = Placement['because'];

/**
 * Decides.
 * 1. Candidates that cannot take the payment are rejected, each with its reason. A rejected one is never in `order`.
 * 2. Those that are well are ordered by the strategy. Then follow the silent, the recovering and the demoted ones.
 * 3. A recovering one is first for a share of {@link PROBE_SHARE}. Otherwise `success-rate` explores another one first, as often as the
 *    route says. Each of both is a function of the seed.
 * @throws RangeError for an amount that is no amount of its currency
 */
export function decide(inputs: RoutingInputs): RoutingDecision {
  const { route, payment, policyVersion } = inputs;
  const factsOf = new Map(inputs.facts.map((facts) => [facts.key, facts]));
  const minor = minorOf(payment.amount, payment.currency);
  const able: Ranked[] = [];
  const rejected: { key: string; because: Rejection }[] = [];
  for (const candidate of route.candidates) {
    const facts = factsOf.get(candidate.key);
    const because = rejectionOf(candidate, facts, inputs, minor);
    if (because !== undefined || facts === undefined)
      rejected.push({ key: candidate.key, because: because ?? 'not-set-up' });
    else able.push(rankedOf(candidate, facts.health, payment.currency, minor));
  }
  const placed = place(route, able, payment.seed, payment.currency);
  return {
    order: placed.map(([{ candidate }]) => candidate.key),
    reasons: placed.map(([{ candidate, cost, successRate }, because]) => ({
      key: candidate.key,
      because,
      cost: cost === null ? null : String(cost),
      successRate,
    })),
    rejected,
    strategy: route.strategy,
    isShadow: route.isShadow,
    policyVersion,
    seed: payment.seed,
    inputs,
  };
}

/** Decides again from the stored inputs. The order is that of the stored decision, unless the rules of this code have changed. */
export function replay({ inputs }: Pick<RoutingDecision, 'inputs'>): RoutingDecision {
  return decide(inputs);
}

function rejectionOf(
  { currencies, countries, limits }: RouteCandidate,
  facts: CandidateFacts | undefined,
  { payment }: RoutingInputs,
  minor: bigint,
): Rejection | undefined {
  if (facts === undefined) return 'not-set-up';
  if (facts.availability !== 'available') return facts.availability;
  if (currencies?.includes(payment.currency) === false) return 'currency';
  if (countries?.includes(payment.country) === false) return 'country';
  const { min, max } = limits?.[payment.currency] ?? {};
  if (min !== undefined && minor < minorOf(min, payment.currency)) return 'amount-min';
  return max !== undefined && minor > minorOf(max, payment.currency) ? 'amount-max' : undefined;
}

/** Tries that a new account is believed to have had, so that one lucky or unlucky try decides nothing. */
const BELIEVED_TRIES = 5;
const BELIEVED_ACCEPTED = 4;

function rankedOf(candidate: RouteCandidate, health: HealthFacts, currency: string, minor: bigint): Ranked {
  const costs = candidate.costs?.[currency];
  return {
    candidate,
    health,
    cost: costs === undefined ? null : feeOf(minor, currency, costs),
    successRate: (health.accepted + BELIEVED_ACCEPTED) / (health.tries + BELIEVED_TRIES),
  };
}

/** All candidates that can take the payment, each once, with what placed it. */
function place(route: Route, able: readonly Ranked[], seed: string, currency: string): [Ranked, Because][] {
  const behind = (because: Because, isThere: (health: HealthFacts) => boolean): [Ranked, Because][] =>
    ordered(
      route,
      able.filter(({ health }) => isThere(health)),
      seed,
      currency,
    ).map((one) => [one, because]);
  const recovering = behind('recovering', ({ phase }) => phase === 'probing');
  const order = [
    ...behind('strategy', ({ phase, isSilent }) => phase === 'well' && !isSilent),
    ...behind('silent', ({ phase, isSilent }) => phase === 'well' && isSilent),
    ...recovering,
    ...behind('demoted', ({ phase }) => phase === 'demoted'),
  ];
  const probe = recovering.at(Math.floor(seededShare(seed, 'which probe') * recovering.length));
  if (probe !== undefined && order.length > 1 && seededShare(seed, 'probe') < PROBE_SHARE)
    return first(order, probe[0], 'probe');
  const explored = exploredOf(route, order, seed);
  return explored === undefined ? order : first(order, explored, 'exploration');
}

/** A candidate that is well and not the best, for the share of payments that explore. Each has the same chance. */
function exploredOf(
  { strategy, exploration }: Route,
  order: readonly [Ranked, Because][],
  seed: string,
): Ranked | undefined {
  if (strategy !== 'success-rate' || seededShare(seed, 'explore') * 100 >= exploration) return undefined;
  const others = order.filter(([, because]) => because === 'strategy').slice(1);
  return others[Math.floor(seededShare(seed, 'which to explore') * others.length)]?.[0];
}

function first(order: readonly [Ranked, Because][], one: Ranked, because: Because): [Ranked, Because][] {
  return [[one, because], ...order.filter(([other]) => other !== one)];
}

/** By the strategy. What it leaves equal is ordered by priority, and what that leaves equal by the shares. */
function ordered({ strategy }: Route, some: readonly Ranked[], seed: string, currency: string): Ranked[] {
  const shuffled = weightedOrder(some, ({ candidate }) => candidate.share, seed, 'share');
  if (strategy === 'volume') return shuffled;
  const byPriority = (one: Ranked, other: Ranked): number => one.candidate.priority - other.candidate.priority;
  switch (strategy) {
    case 'priority':
      return shuffled.sort(byPriority);
    case 'cost':
      return shuffled.sort((one, other) => compareCosts(one.cost, other.cost) || byPriority(one, other));
    case 'currency': {
      const converts = ({ candidate }: Ranked): number => (candidate.settles?.includes(currency) === true ? 0 : 1);
      return shuffled.sort((one, other) => converts(one) - converts(other) || byPriority(one, other));
    }
    case 'success-rate':
      return shuffled.sort((one, other) => other.successRate - one.successRate || byPriority(one, other));
  }
}

/** An unknown cost is higher than each that is known. */
function compareCosts(one: bigint | null, other: bigint | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}

function minorOf(amount: string, currency: string): bigint {
  const parsed = parseDecimal(amount, decimalsOf(currency));
  if (!parsed.ok) throw new RangeError(`Not an amount of ${currency}: ${parsed.error}`);
  return parsed.minor;
}
