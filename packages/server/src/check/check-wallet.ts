/** `check`: plays the cashier against an operator's own wallet, and proves the rules of the contract one by one. */
import { createAsker, type Timing } from './ask-wallet.ts';
import { type Bench, type CheckedUser, createBench, type Rule } from './bench.ts';
import { moneyRules } from './money-rules.ts';
import { releaseRules } from './release-rules.ts';
import { repeatRules } from './repeat-rules.ts';
import { proveRule, RuleBroken, type RuleResult } from './rules.ts';
import { signatureRules } from './signature-rules.ts';
import type { Surroundings } from './signed-post.ts';
import { proveInTime, type TypeTiming, timeLimitsInWords, timingsByType } from './time-limits.ts';

export interface CheckOptions extends CheckedUser {
  readonly url: string;
  /** One or two secrets (`whsec_…`), as the wallet knows them. */
  readonly secrets: readonly string[];
}

export interface CheckReport {
  readonly passed: boolean;
  readonly rules: readonly RuleResult[];
  readonly timings: readonly TypeTiming[];
  /** Decimal texts; absent if the wallet never answered one. */
  readonly balanceAtStart?: string;
  readonly balanceAtEnd?: string;
}

/** The order in which the rules are proven: each comes after those that it needs. */
export const rules: readonly Rule[] = [
  ...signatureRules,
  ...named(moneyRules, ['credit', 'debit']),
  ...named(repeatRules, ['repeat', 'changed-repeat', 'repeat-at-once']),
  ...named(moneyRules, ['insufficient-funds']),
  ...named(repeatRules, ['repeat-of-a-decline', 'whole-balance-at-once']),
  ...named(moneyRules, ['forced-debit', 'unknown-user']),
  ...releaseRules,
  ...named(moneyRules, ['unknown-type']),
];

function named(list: readonly Rule[], names: readonly string[]): Rule[] {
  return list.filter(({ name }) => names.includes(name));
}

/**
 * Proves every rule, and gives the user the balance of the start again.
 *
 * @param onResult is told each result as soon as it is known
 * @throws TypeError for a secret that is none
 */
export async function checkWallet(
  options: CheckOptions,
  surroundings: Surroundings,
  onResult: (result: RuleResult) => void = () => undefined,
): Promise<CheckReport> {
  const timings: Timing[] = [];
  const bench = createBench(createAsker(options, surroundings, timings), options, options.secrets);
  const results: RuleResult[] = [];
  const note = (result: RuleResult): void => {
    results.push(result);
    onResult(result);
  };
  const start = await knownBalance(bench);
  for (const rule of rules) note(await proveRule(rule, bench, results));
  note(await proveRule(givenBackRule(start), bench, results));
  note(await proveRule(inTimeRule(timings), bench, results));
  const end = start === undefined ? undefined : await knownBalance(bench);
  return {
    passed: results.every(({ result }) => result === 'passed'),
    rules: results,
    timings: timingsByType(timings),
    ...(start !== undefined && { balanceAtStart: bench.text(start) }),
    ...(end !== undefined && { balanceAtEnd: bench.text(end) }),
  };
}

async function knownBalance({ ask, balanceCall }: Bench): Promise<bigint | undefined> {
  const { meaning } = await ask(balanceCall());
  return meaning.kind === 'done' ? meaning.balance : undefined;
}

/** Gives back what the rules took, and takes what they gave. */
function givenBackRule(start: bigint | undefined): Rule {
  return {
    name: 'given-back',
    says: 'At the end the balance of the test user is what it was at the start',
    remedy: 'Correct the balance of the test user by hand.',
    needs: ['balance'],
    prove: async ({ ask, move, balance, text }) => {
      if (start === undefined) throw new RuleBroken('The balance at the start is not known.');
      const before = await balance();
      if (before < start) await ask(move('credit', start - before));
      if (before > start) await ask(move('debit', before - start));
      const end = await balance();
      if (end === start) return;
      throw new RuleBroken(`The balance was ${text(start)} at the start, and is ${text(end)} now.`);
    },
  };
}

function inTimeRule(timings: readonly Timing[]): Rule {
  return {
    name: 'in-time',
    says: `Every answer arrives in time: ${timeLimitsInWords()}`,
    remedy:
      'After its time limit a call has an unknown outcome and is repeated. Look for slow queries and for locks that wait on each other.',
    needs: ['balance'],
    prove: async () => proveInTime(timings),
  };
}
