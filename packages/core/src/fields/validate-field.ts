import type { FormField } from '@opencashier/contract/api';
import { fitsMask, parseMask } from '../masks/mask.ts';
import { parseDecimal } from '../money/money.ts';
import { accountError } from './account-number.ts';
import { passesLuhn } from './card-number.ts';
import { phoneBody } from './phone.ts';
import { compileRule, type RuleFault } from './regex-rule.ts';
import { fitsTextKind } from './text-kind.ts';

/** A field error: a locale key, or the operator's own text. The widget shows the text when no locale has the key. */
export interface FieldError {
  readonly message: string;
}

/** A rule that was skipped and must be reported (FORM-2). */
export interface SkippedRule {
  readonly field: string;
  readonly fault: RuleFault;
}

/** The inputs of a field's validation. */
export interface FieldValidationInput {
  readonly field: FormField;
  readonly value: string;
  /** The method's name, for the key of the default message. */
  readonly method: string;
  /** The prefix of a phone field, such as `+91`. */
  readonly prefix?: string | undefined;
  /** The method requires a check of the card number (FORM-8). */
  readonly checkLuhn?: boolean | undefined;
  /** The bank code chosen in the form, for the check of an account number; see `bankOf`. */
  readonly bank?: string | undefined;
}

/** The first error, if there is one, and the rules that could not be used. */
export interface FieldValidation {
  readonly error: FieldError | undefined;
  readonly skipped: readonly SkippedRule[];
}

/** The locale key of a method's general field error (FORM-2). */
export function defaultErrorKey(method: string): string {
  return `paymentMethods.regex_error.${method}`;
}

const LUHN_KEY = 'form.cardNumber.invalid';

/** Names and aliases of fields that hold a card number. */
const CARD_FIELD = /^(?:card|card_?number|pan)$/i;

/** The value in the form that is tested and sent (FORM-2, FORM-4): trimmed, and in upper case for some fields. */
export function normaliseFieldValue(field: Pick<FormField, 'type'>, value: string): string {
  const trimmed = value.trim();
  return field.type === 'text_uppercase' ? trimmed.toUpperCase() : trimmed;
}

/** The greatest number of decimals of any currency. */
const MOST_DECIMALS = 18;

/**
 * Whether a value fits the field's kind: an item, a mask, an amount, an e-mail address (FORM-1, FORM-4, FORM-8).
 * An empty value fits every kind. The rules decide whether the field may stay empty.
 */
function fitsKind(field: FormField, tested: string): boolean {
  if (tested === '') return true;
  const mask = field.mask ?? field.props?.mask;
  if (mask !== undefined && mask !== '' && !fitsMask(parseMask(mask), tested)) return false;
  if (field.type === 'amount') return parseDecimal(tested, MOST_DECIMALS).ok;
  if (field.type === 'phone_with_prefix') return true;
  if (field.type !== 'dropdown' && field.type !== 'networks') return isCardField(field) || fitsTextKind(field, tested);
  const items = field.props?.items ?? field.values ?? [];
  return items.length === 0 || items.some(({ value }) => value.trim() === tested);
}

/**
 * Validates a value (FORM-2). Widget and server use the same rule. The tests run in this order:
 * - the field's own rule;
 * - each of its validations;
 * - its kind: items, mask, amount, check digits of an account number.
 *
 * Rules are unicode regular expressions over the trimmed value; a phone is tested without its prefix.
 * A rule with `isExists` applies only to a value that is not empty. A hidden field always passes.
 */
export function validateField({
  field,
  value,
  method,
  prefix,
  checkLuhn,
  bank,
}: FieldValidationInput): FieldValidation {
  if (field.props?.isHidden === true) return { error: undefined, skipped: [] };
  const normal = normaliseFieldValue(field, value);
  const tested = field.type === 'phone_with_prefix' ? phoneBody(normal, prefix ?? '') : normal;
  const ownMessage = field.regex_error_key ?? defaultErrorKey(method);
  const rules = [
    { regex: field.regex, message: ownMessage, isExists: false },
    ...(field.props?.validations ?? []).map((rule) => ({ ...rule, message: rule.message ?? ownMessage })),
  ];
  const skipped: SkippedRule[] = [];
  let error: FieldError | undefined;
  for (const { regex, message, isExists } of rules) {
    if (regex === undefined || regex === '' || (isExists === true && tested === '')) continue;
    const rule = compileRule(regex);
    if (!rule.ok) skipped.push({ field: field.name, fault: rule.fault });
    else if (error === undefined && !rule.matches(tested)) error = { message };
  }
  if (error === undefined && !fitsKind(field, tested)) error = { message: ownMessage };
  if (error === undefined && checkLuhn === true && isCardField(field) && !passesLuhn(tested))
    error = { message: LUHN_KEY };
  const accountKey = error === undefined && tested !== '' ? accountError(field, tested, bank) : undefined;
  if (accountKey !== undefined) error = { message: accountKey };
  return { error, skipped };
}

/** Whether a field holds a card number, by its name or alias. */
export function isCardField({ name, alias }: Pick<FormField, 'name' | 'alias'>): boolean {
  return CARD_FIELD.test(name) || (alias !== undefined && CARD_FIELD.test(alias));
}
