/** The kind of a text field, by its category or name: an e-mail address, a number, letters (FORM-4). */
import type { FormField } from '@opencashier/contract/api';
import { DECIMAL_REGEX } from 'valibot';
import { isEmail } from './email.ts';

/** Checks from the cashier's own definitions where they exist, otherwise from the platform. */
const checks = {
  email: isEmail,
  url: (text: string) => URL.canParse(text),
  integer: (text: string) => DECIMAL_REGEX.test(text) && Number.isInteger(Number(text)),
  decimal: (text: string) => DECIMAL_REGEX.test(text),
  alpha: (text: string) => /^\p{L}+$/u.test(text),
} as const;

export type CheckedKind = keyof typeof checks;

/** The kind that a field's category or name states. A wallet has its own rules. */
export type NamedKind = CheckedKind | 'wallet';

const isNamed = (word: string | undefined): word is NamedKind =>
  word !== undefined && (word === 'wallet' || Object.hasOwn(checks, word));

/** The kind of a text field: by its category, or else by its name or alias. */
export function namedKind({
  name,
  alias,
  category,
}: Pick<FormField, 'name' | 'alias' | 'category'>): NamedKind | undefined {
  return [category, name, alias].find(isNamed);
}

/**
 * Whether a value fits its field's kind (FORM-4). Widget and server use the same rule.
 * A kind guessed from the field's name is ignored when the operator's field has its own rule.
 * @param value not empty
 */
export function fitsTextKind(field: FormField, value: string): boolean {
  const kind = namedKind(field);
  if (kind === undefined || kind === 'wallet') return true;
  const hasOwnRule = field.regex !== undefined || (field.props?.validations?.length ?? 0) > 0;
  return (hasOwnRule && field.category !== kind) || checks[kind](value);
}
