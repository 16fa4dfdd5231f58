/** Decisions and the health of accounts, as the operator API and the command line show them (SRV-4). */
import type { AccountHealthView, RoutingDecisionView } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { healthFacts, UNTRIED } from '@opencashier/core/routing/account-health';
import { replay } from '@opencashier/core/routing/decide';
import { installationKey, type Route, type RouteCandidate } from '@opencashier/core/routing/route';
import type { KeptDecision } from './decision-store.ts';
import type { StoredHealth } from './health-store.ts';

/** The name of a connection by its id. */
export interface ConnectionName {
  readonly id: string;
  readonly name: string;
}

type Account = Pick<AccountHealthView, 'provider' | 'connection' | 'connectionId'>;

/** The health of each account that the routes name. @param now ms since the epoch */
export function healthViews(
  routes: readonly Route[],
  healths: readonly StoredHealth[],
  connections: readonly ConnectionName[],
  now: number,
): AccountHealthView[] {
  const candidates = new Map(routes.flatMap((route) => route.candidates.map((one) => [one.key, one] as const)));
  const healthOf = new Map(healths.map(({ account, health }) => [account, health]));
  return [...candidates.values()].map((candidate) => {
    const health = healthOf.get(candidate.key) ?? UNTRIED;
    const { phase, tries, accepted } = healthFacts(health, now);
    return {
      ...accountView(candidate, connections),
      phase,
      tries,
      accepted,
      ...(phase === 'demoted' &&
        health.demotedUntil !== null && { demotedUntil: new Date(health.demotedUntil).toISOString() }),
    };
  });
}

/** A decision, with what this build decides again from its facts. */
export function decisionView(
  depositId: string,
  { decision, at }: KeptDecision,
  connections: readonly ConnectionName[],
): RoutingDecisionView {
  const { inputs, strategy, isShadow, policyVersion, seed } = decision;
  const { method, currency, amount, country } = inputs.payment;
  const candidateOf = (key: string): RouteCandidate | undefined =>
    inputs.route.candidates.find((candidate) => candidate.key === key);
  const account = (key: string): Account => accountView(candidateOf(key) ?? { key, provider: '' }, connections);
  return {
    depositId,
    at: at.toISOString(),
    method,
    version: policyVersion,
    strategy,
    shadow: isShadow,
    currency,
    amount,
    country,
    seed,
    order: decision.reasons.map(({ key, because, cost, successRate }) => {
      const health = inputs.facts.find((facts) => facts.key === key)?.health;
      return {
        ...account(key),
        because,
        ...(cost !== null && { cost: toDecimalString(BigInt(cost), decimalsOf(currency)) }),
        successRate,
        phase: health?.phase ?? 'well',
        tries: health?.tries ?? 0,
      };
    }),
    rejected: decision.rejected.map(({ key, because }) => ({ ...account(key), because })),
    isReplayedAlike: isAlike(decision, replay(decision)),
  };
}

function isAlike(one: KeptDecision['decision'], other: KeptDecision['decision']): boolean {
  return one.order.length === other.order.length && one.order.every((key, at) => key === other.order[at]);
}

function accountView(
  { key, provider }: Pick<RouteCandidate, 'key' | 'provider'>,
  connections: readonly ConnectionName[],
): Account {
  if (key === installationKey(provider)) return { provider };
  const name = connections.find(({ id }) => id === key)?.name;
  return { provider, ...(name !== undefined && { connection: name }), connectionId: key };
}

/** An account as one line of text names it, such as `main (stripe)`. */
export function accountName({ provider, connection, connectionId }: Account): string {
  return `${connection ?? connectionId ?? 'installation'} (${provider})`;
}
