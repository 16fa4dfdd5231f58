/**
 * Checks the amount and the fields of a form again on the server, by the rules of the widget (SRV-8). Deposits and
 * withdrawals use the same checks.
 */
import type { FormField } from '@opencashier/contract/api';
import { bankOf } from '@opencashier/core/fields/account-number';
import { countryOfPhone } from '@opencashier/core/fields/phone';
import {
  PIX_KEY_TYPE_FIELD,
  pixFieldValues,
  pixFormValues,
  visiblePixFields,
} from '@opencashier/core/fields/pix-fields';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { normaliseFieldValue, validateField } from '@opencashier/core/fields/validate-field';
import { checkAmount, LIMIT_MAX_KEY, LIMIT_MIN_KEY } from '@opencashier/core/limits/check-amount';
import type { Limits } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { isStorableText } from '../database/storable-text.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { CatalogueMethod } from './catalogue.ts';

/** The form of a create call, as the client sent it. */
export interface FormRequest {
  readonly amount: string;
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly wallet?: string | undefined;
}

/**
 * Parses and checks the amount.
 * @returns minor units
 * @throws DomainError limit-min, limit-max, invalid-request, banking.paymentMethodRegex
 */
export function validAmount(method: CatalogueMethod, request: FormRequest, limits: Limits): bigint {
  const { amount, currency } = request;
  const error = checkAmount(amount, limits);
  if (error?.key === LIMIT_MIN_KEY) {
    throw new DomainError('limit-min', 'The amount is below the minimum', {
      params: { min: error.params.amount ?? '' },
    });
  }
  if (error?.key === LIMIT_MAX_KEY) {
    throw new DomainError('limit-max', 'The amount is above the maximum', {
      params: { max: error.params.amount ?? '' },
    });
  }
  const parsed = parseDecimal(amount, decimalsOf(currency));
  if (error !== undefined || !parsed.ok) {
    const fields = [{ path: 'amount', message: `not an amount of ${currency}` }];
    throw new DomainError('invalid-request', 'The amount is not valid in this currency', { fields });
  }
  const own = method.flags.ownAmountRegex;
  if (own !== undefined && !passes(own, amount)) {
    throw new DomainError('banking.paymentMethodRegex', 'The amount does not match the rule of the method', {
      fields: [{ path: 'amount', message: 'does not pass the rule of the method' }],
    });
  }
  if (parsed.minor > LARGEST_AMOUNT) throw new DomainError('invalid-request', 'The amount is too large to store');
  return parsed.minor;
}

/** The largest bigint of the database. A method without a maximum must not accept more. */
const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** All fields of a method: the form's, and those that a preparation added. */
function fieldsOf(method: CatalogueMethod): FormField[] {
  return [...method.fields, ...method.preparationFields];
}

/** A form as the user saw it, and the name of its method. */
export interface ShownForm {
  readonly fields: readonly FormField[];
  readonly method: string;
  readonly checkLuhn?: boolean | undefined;
}

/** The values of hidden fields. The author of the form sets them; the request cannot change them. */
function fixedValues({ fields }: ShownForm): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, props }) =>
      props?.isHidden === true && props.value !== undefined ? [[name, props.value] as const] : [],
    ),
  );
}

interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** Checks the values of a form. Returns the normalised values and the faults. Unknown names are left out. */
function judgeForm(
  form: ShownForm,
  given: Readonly<Record<string, string>>,
): { readonly values: Readonly<Record<string, string>>; readonly faults: readonly FieldFault[] } {
  const typed = { ...pixFormValues(form.fields, given), ...fixedValues(form) };
  const shown = visiblePixFields(form.fields, typed[PIX_KEY_TYPE_FIELD]);
  const bank = bankOf(shown, typed);
  const faults = shown.flatMap((field) => {
    const value = typed[field.name] ?? '';
    const question = {
      field,
      value,
      method: form.method,
      prefix: countryOfPhone(value.trim(), field.countries ?? [])?.prefix,
      checkLuhn: form.checkLuhn,
      bank,
    };
    const error = isStorableText(value)
      ? validateField(question).error
      : { message: 'contains characters that cannot be stored' };
    return error === undefined ? [] : [{ path: `fields.${field.name}`, message: error.message }];
  });
  const values = Object.fromEntries(
    shown.flatMap((field) => {
      const value = normaliseFieldValue(field, typed[field.name] ?? '');
      return value === '' ? [] : [[field.name, value] as const];
    }),
  );
  return { values: pixFieldValues(form.fields, values), faults };
}

/** @throws DomainError banking.paymentMethodRegex if there is a fault */
function refuse(faults: readonly FieldFault[]): void {
  if (faults.length === 0) return;
  throw new DomainError('banking.paymentMethodRegex', 'A field does not pass its rule', { fields: [...faults] });
}

/**
 * Checks the fields of a create call. The result has only fields that the method describes, and the wallet.
 * @throws DomainError banking.paymentMethodRegex
 */
export function validFields(method: CatalogueMethod, request: FormRequest): Record<string, string> {
  const form: ShownForm = { fields: fieldsOf(method), method: method.name, checkLuhn: method.checkLuhn };
  const { values, faults } = judgeForm(form, request.fields);
  const isWalletFit = request.wallet === undefined || isStorableText(request.wallet);
  refuse(isWalletFit ? faults : [...faults, { path: 'wallet', message: 'contains characters that cannot be stored' }]);
  return { ...values, ...(request.wallet !== undefined && { wallet: request.wallet }) };
}

/**
 * Checks the values of a form from a provider's answer. An unknown name is refused, because the provider would ignore
 * its value.
 * @throws DomainError banking.paymentMethodRegex
 */
export function validInputs(
  form: ShownForm,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { values, faults } = judgeForm(form, given);
  const known = new Set([...form.fields.map(({ name }) => name), ...Object.keys(values)]);
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  refuse([...faults, ...unknown.map((name) => ({ path: `fields.${name}`, message: 'is not asked for' }))]);
  return values;
}

/**
 * True when the value matches. A pattern that cannot be compiled or may run too long is ignored (FORM-2); the
 * catalogue's test reports such patterns.
 */
function passes(pattern: string, value: string): boolean {
  const rule = compileRule(pattern);
  return !rule.ok || rule.matches(value);
}
