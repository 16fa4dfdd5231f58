import type { FormField } from '@opencashier/contract/api';
import { fitsMask, parseMask } from '../masks/mask.ts';
import { parseDecimal } from '../money/money.ts';
import { accountError } from './account-number.ts';
import { passesLuhn } from './card-number.ts';
import { phoneBody } from './phone.ts';
import { compileRule, type RuleFault } from './regex-rule.ts';
import { fitsTextKind } from './text-kind.ts';

/** What is wrong with a field: a locale key, or the operator's ready text. The widget looks the key up and else shows it. */
export interface FieldError {
  readonly message: string;
}

/** A rule that was skipped, to be reported (FORM-2). */
export interface SkippedRule {
  readonly field: string;
  readonly fault: RuleFault;
}

/** What decides whether a value passes. */
export interface FieldQuestion {
  readonly field: FormField;
  readonly value: string;
  /** The method's name, from which the default message derives. */
  readonly method: string;
  /** The prefix of a phone field, such as `+91`. */
  readonly prefix?: string | undefined;
  /** The method wants its card number checked (FORM-8). */
  readonly checkLuhn?: boolean | undefined;
  /** The code of the bank that the form names, which an account number may have to belong to; see `bankOf`. */
  readonly bank?: string | undefined;
}

/** The outcome: the first error, if any, and the rules that could not be used. */
export interface FieldVerdict {
  readonly error: FieldError | undefined;
  readonly skipped: readonly SkippedRule[];
}

/** The key of a method's general field error (FORM-2). */
export function defaultErrorKey(method: string): string {
  return `paymentMethods.regex_error.${method}`;
}

const LUHN_KEY = 'form.cardNumber.invalid';

/** Names and aliases of fields that hold a card number. */
const CARD_FIELD = /^(?:card|card_?number|pan)$/i;

/** The value as it is tested and sent (FORM-2, FORM-4): trimmed, uppercased where the field says so. */
export function normaliseFieldValue(field: Pick<FormField, 'type'>, value: string): string {
  const trimmed = value.trim();
  return field.type === 'text_uppercase' ? trimmed.toUpperCase() : trimmed;
}

/** The longest fraction that any currency has. */
const MOST_DECIMALS = 18;

/**
 * Whether a value is of the field's own kind: one of its items, under its mask, an amount, an e-mail address (FORM-1, FORM-4, FORM-8). Nothing is of any
 * kind; whether it may stay empty is for the rules.
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
 * Tests a value by the rules of its field (FORM-2), the same in the widget and on the server: the field's own rule, then
 * each of its validations, as unicode expressions on the trimmed value (a phone without its prefix), and last its kind: items,
 * mask, amount, an account number's own check. A rule with `isExists` applies only while there is a value. A hidden field passes.
 */
export function validateField({ field, value, method, prefix, checkLuhn, bank }: FieldQuestion): FieldVerdict {
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
