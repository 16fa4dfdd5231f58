/** What a line of text must be by its field's category or name: an e-mail address, a number, letters (FORM-4). */
import type { FormField } from '@opencashier/contract/api';
import { DECIMAL_REGEX } from 'valibot';
import { isEmail } from './email.ts';

/** By the library's own definitions where it has one, by the platform's else. */
const checks = {
  email: isEmail,
  url: (text: string) => URL.canParse(text),
  integer: (text: string) => DECIMAL_REGEX.test(text) && Number.isInteger(Number(text)),
  decimal: (text: string) => DECIMAL_REGEX.test(text),
  alpha: (text: string) => /^\p{L}+$/u.test(text),
} as const;

export type CheckedKind = keyof typeof checks;

/** What a text field holds, as far as its words say so; a wallet has rules of its own. */
export type NamedKind = CheckedKind | 'wallet';

const isNamed = (word: string | undefined): word is NamedKind =>
  word !== undefined && (word === 'wallet' || Object.hasOwn(checks, word));

/** The kind of a text field: by its category, else by its name or alias. */
export function namedKind({
  name,
  alias,
  category,
}: Pick<FormField, 'name' | 'alias' | 'category'>): NamedKind | undefined {
  return [category, name, alias].find(isNamed);
}

/**
 * Whether a value is what its field's kind says (FORM-4), the same in the widget and on the server. A kind that was only guessed
 * from the field's name yields to a rule of the operator's own.
 * @param value not empty
 */
export function fitsTextKind(field: FormField, value: string): boolean {
  const kind = namedKind(field);
  if (kind === undefined || kind === 'wallet') return true;
  const hasOwnRule = field.regex !== undefined || (field.props?.validations?.length ?? 0) > 0;
  return (hasOwnRule && field.category !== kind) || checks[kind](value);
}
