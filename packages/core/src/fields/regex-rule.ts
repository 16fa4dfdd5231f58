import { isSafePattern } from './regex-safety.ts';

/** The length limits of a form's rules and of the tested values. Together they limit the time of a test. */
const MAX_PATTERN_LENGTH = 1000;
/** The greatest length of a tested value. */
export const MAX_TESTED_LENGTH = 200;

/** Why a rule from data is skipped and reported (FORM-2). */
export type RuleFault = 'too-long' | 'malformed' | 'unsafe';

/** A compiled rule, or the reason why it is skipped. `matches` answers within 50 ms for any text. */
export type RegexRule =
  | { readonly ok: true; readonly matches: (value: string) => boolean }
  | { readonly ok: false; readonly fault: RuleFault };

const MAX_CACHED = 500;
const cache = new Map<string, RegexRule>();

/**
 * Compiles a rule from data once, as a unicode regular expression (FORM-2).
 * A pattern that does not compile, or that could run too long (see `isSafePattern`), returns its fault.
 * The caller reports the fault and skips the rule, so the page never freezes.
 */
export function compileRule(pattern: string): RegexRule {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const rule = compile(pattern);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, rule);
  return rule;
}

function compile(pattern: string): RegexRule {
  if (pattern.length > MAX_PATTERN_LENGTH) return { ok: false, fault: 'too-long' };
  const regex = parse(pattern);
  if (regex === undefined) return { ok: false, fault: 'malformed' };
  if (!isSafePattern(pattern)) return { ok: false, fault: 'unsafe' };
  return { ok: true, matches: (value) => value.length <= MAX_TESTED_LENGTH && regex.test(value) };
}

function parse(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
