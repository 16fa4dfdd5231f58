/** The kind of value in a field: its format, its check and its keyboard (FORM-4, FORM-8). */
import type { FormField } from '@opencashier/contract/api';
import { withAsciiDigits } from '@opencashier/core/amount/digits';
import { readWalletText } from '@opencashier/core/crypto/wallet-text';
import { isIbanField } from '@opencashier/core/fields/account-number';
import { cardDigits, groupCardNumber } from '@opencashier/core/fields/card-number';
import { groupIban } from '@opencashier/core/fields/iban';
import { type NamedKind, namedKind } from '@opencashier/core/fields/text-kind';
import { isCardField } from '@opencashier/core/fields/validate-field';
import { applyMask, type Mask, parseMask } from '@opencashier/core/masks/mask';
import { growingFormat, lettersLost, type TextFormat } from '../amount/live-text.ts';

export type FieldKind = NamedKind | 'amount' | 'card' | 'choice' | 'phone' | 'text';

/** By the field's type, else its category, else its name or alias. */
export function kindOf(field: FormField): FieldKind {
  const { type, name, alias } = field;
  if (type === 'dropdown' || type === 'networks') return 'choice';
  if (type === 'phone_with_prefix') return 'phone';
  if (type === 'amount') return 'amount';
  if (isCardField({ name, ...(alias === undefined ? {} : { alias }) })) return 'card';
  return namedKind(field) ?? 'text';
}

export function maskOf({ mask, props }: FormField): Mask | undefined {
  const text = mask ?? props?.mask;
  return text === undefined || text === '' ? undefined : parseMask(text);
}

/**
 * Whether a value fills its mask (FORM-8). For a pattern the field's own rule decides, because it may allow a shorter text. Masks
 * of days, numbers and lists decide by themselves.
 */
export function passesMask(field: FormField, value: string): boolean {
  const mask = maskOf(field);
  if (mask === undefined || (mask.kind === 'pattern' && field.regex !== undefined)) return true;
  const { isComplete, lost } = applyMask(mask, value);
  return isComplete && lost === '';
}

interface Written {
  /** The text as the field shows it. */
  readonly text: string;
  /** Typed characters that do not fit into the field. */
  readonly lost: string;
}

/** Formats a text for its field. Digits of any script become ASCII digits, because the rules are written for ASCII digits. */
export function writeField(field: FormField, typed: string): Written {
  const isUpper = field.type === 'text_uppercase';
  const text = withAsciiDigits(isUpper ? typed.toUpperCase() : typed);
  const mask = maskOf(field);
  if (mask !== undefined) {
    const { text: shown, lost } = applyMask(mask, text);
    return { text: isUpper ? shown.toUpperCase() : shown, lost };
  }
  const kind = kindOf(field);
  if (kind === 'card') return kept(text, groupCardNumber(text));
  if (isIbanField(field)) return kept(text, groupIban(text));
  return { text: kind === 'wallet' ? readWalletText(text).address : text, lost: '' };
}

const kept = (typed: string, shown: string): Written => ({ text: shown, lost: lettersLost(typed, shown) });

/** How a field formats its text while the user types. */
export function formatOf(field: FormField): TextFormat {
  return growingFormat((typed) => writeField(field, typed).text);
}

/** The first digits of a card, which identify its bank: eight if they are typed, else six. */
export function binOf(number: string): string | undefined {
  const digits = cardDigits(number);
  return digits.length < 6 ? undefined : digits.slice(0, digits.length < 8 ? 6 : 8);
}

/** The autofill tokens of common field names (WCAG 1.3.5). */
const autoComplete: Readonly<Record<string, string>> = {
  address: 'street-address',
  birthday: 'bday',
  city: 'address-level2',
  email: 'email',
  firstName: 'given-name',
  fullName: 'name',
  lastName: 'family-name',
  name: 'name',
  phone: 'tel-national',
  postcode: 'postal-code',
  url: 'url',
  zip: 'postal-code',
};

const inputModes: Readonly<Partial<Record<FieldKind, 'decimal' | 'email' | 'numeric' | 'tel' | 'url'>>> = {
  amount: 'decimal',
  card: 'numeric',
  decimal: 'decimal',
  email: 'email',
  integer: 'numeric',
  phone: 'tel',
  url: 'url',
};

/** Attributes for the right keyboard and autofill of phones and browsers. */
export function keyboardOf(field: FormField) {
  const kind = kindOf(field);
  const mask = maskOf(field);
  const isPlain = kind === 'text' && field.type === 'text' && mask === undefined;
  return {
    inputMode: mask !== undefined && isNumeric(mask) ? 'numeric' : (inputModes[kind] ?? 'text'),
    autoComplete:
      kind === 'card' ? 'cc-number' : (autoComplete[field.name] ?? autoComplete[field.alias ?? ''] ?? 'off'),
    autoCapitalize: field.type === 'text_uppercase' ? 'characters' : isPlain ? undefined : 'none',
    autoCorrect: isPlain ? undefined : 'off',
    spellCheck: false,
  } as const;
}

function isNumeric(mask: Mask): boolean {
  if (mask.kind === 'enum') return false;
  return mask.kind !== 'pattern' || mask.slots.every((slot) => 'literal' in slot || slot.accepts === 'digit');
}

/** Whether the field's text is left to right in every language, such as a number or an address. */
export function isAlwaysLtr(field: FormField): boolean {
  const kind = kindOf(field);
  if (kind !== 'text' && kind !== 'alpha') return true;
  return field.type === 'text_uppercase' || maskOf(field) !== undefined;
}
