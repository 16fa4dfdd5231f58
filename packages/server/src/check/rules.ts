/** Rules of a contract that are proven one by one, and what is said about each. */

/** A rule does not hold. The message is the cause; `remedy` replaces the one of the rule. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
  readonly remedy: string | undefined;

  constructor(cause: string, remedy?: string) {
    super(cause);
    this.remedy = remedy;
  }
}

/** One rule of a contract, proven by calls from a bench. */
export interface RuleOf<Bench> {
  readonly name: string;
  /** The rule in plain words. */
  readonly says: string;
  /** What to do if it does not hold. */
  readonly remedy: string;
  /** Rules without which this one proves nothing. */
  readonly needs: readonly string[];
  /** @throws RuleBroken */
  readonly prove: (bench: Bench) => Promise<void>;
}

export interface RuleResult {
  readonly rule: string;
  readonly says: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or which rule must hold first. */
  readonly cause?: string;
  readonly remedy?: string;
}

/**
 * Proves one rule.
 * @param results of the rules before
 */
export async function proveRule<Bench>(
  { name, says, remedy, needs, prove }: RuleOf<Bench>,
  bench: Bench,
  results: readonly RuleResult[],
): Promise<RuleResult> {
  const missing = needs.find((needed) => results.find(({ rule: other }) => other === needed)?.result !== 'passed');
  if (missing !== undefined) {
    return { rule: name, says, result: 'skipped', cause: `It cannot be proven before the rule "${missing}" holds.` };
  }
  try {
    await prove(bench);
    return { rule: name, says, result: 'passed' };
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    return { rule: name, says, result: 'failed', cause: error.message, remedy: error.remedy ?? remedy };
  }
}
