/** `check bonuses`: plays the cashier against an operator's own bonus engine, and proves the rules of the contract one by one. */
import { proveRule, RuleBroken, type RuleResult } from '../check/rules.ts';
import type { SignedAddress, Surroundings } from '../check/signed-post.ts';
import { listWaitMs, timeLimitMs } from '../generated/bonus-rules.ts';
import { createEngineAsker } from './ask-engine.ts';
import { type EngineBench, type EngineRule, engineRules, type Seen } from './engine-rules.ts';

export interface EngineCheckOptions extends SignedAddress, Pick<EngineBench, 'userIds' | 'currencies'> {}

export interface EngineReport {
  readonly passed: boolean;
  readonly rules: readonly RuleResult[];
  readonly seen: readonly Seen[];
  /** Of all answers. */
  readonly timing: { readonly questions: number; readonly p50Ms: number; readonly slowestMs: number };
}

/**
 * Proves every rule. A question changes nothing, so real users may be named.
 *
 * @param onResult is told each result as soon as it is known
 * @throws TypeError for a secret that is none
 */
export async function checkEngine(
  { userIds, currencies, ...address }: EngineCheckOptions,
  surroundings: Surroundings,
  onResult: (result: RuleResult) => void = () => undefined,
): Promise<EngineReport> {
  const timesMs: number[] = [];
  const ask = createEngineAsker(address, surroundings, timesMs);
  const bench: EngineBench = { ask, userIds, currencies, secrets: address.secrets, seen: [] };
  const results: RuleResult[] = [];
  for (const rule of [...engineRules, inTimeRule(timesMs)]) {
    const result = await proveRule(rule, bench, results);
    results.push(result);
    onResult(result);
  }
  const passed = results.every(({ result }) => result === 'passed');
  return { passed, rules: results, seen: bench.seen, timing: timingOf(timesMs) };
}

function timingOf(timesMs: readonly number[]): EngineReport['timing'] {
  const sorted = timesMs.map(Math.round).sort((one, other) => one - other);
  const middle = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return { questions: sorted.length, p50Ms: middle, slowestMs: sorted.at(-1) ?? 0 };
}

function inTimeRule(timesMs: readonly number[]): EngineRule {
  return {
    name: 'in-time',
    says: `Half of the answers arrive within ${listWaitMs} ms, and all within ${timeLimitMs} ms`,
    remedy:
      'Answer from what you know already, such as a table by user. Run this command near the cashier: the way counts.',
    needs: ['answer'],
    prove: async () => {
      const { p50Ms, slowestMs } = timingOf(timesMs);
      if (slowestMs > timeLimitMs) {
        throw new RuleBroken(`The slowest answer took ${slowestMs} ms, and a question ends after ${timeLimitMs} ms.`);
      }
      if (p50Ms <= listWaitMs) return;
      const waits = `a list of bonuses waits for ${listWaitMs} ms`;
      throw new RuleBroken(`Half of the answers took more than ${p50Ms - 1} ms, and ${waits}.`);
    },
  };
}
