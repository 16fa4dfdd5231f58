/** A form is checked by the same rules as in the widget, again (SRV-8): amount and fields, of deposits and withdrawals alike. */
import type { FormField } from '@opencashier/contract/api';
import { bankOf } from '@opencashier/core/fields/account-number';
import { countryOfPhone } from '@opencashier/core/fields/phone';
import {
  hasPixKeyType,
  PIX_KEY_TYPE_FIELD,
  pixFieldValues,
  visiblePixFields,
} from '@opencashier/core/fields/pix-fields';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { normaliseFieldValue, validateField } from '@opencashier/core/fields/validate-field';
import { checkAmount, LIMIT_MAX_KEY, LIMIT_MIN_KEY } from '@opencashier/core/limits/check-amount';
import type { Limits } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { CallFailure } from '../calls/call.ts';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { isStorableText } from '../database/storable-text.ts';

/** What a person asks for, as it came. */
export interface FormRequest {
  readonly amount: string;
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly wallet?: string | undefined;
}

/**
 * The amount in minor units.
 * @throws CallFailure limit-min, limit-max, invalid-request, banking.paymentMethodRegex
 */
export function validAmount(method: CatalogueMethod, request: FormRequest, limits: Limits): bigint {
  const { amount, currency } = request;
  const error = checkAmount(amount, limits);
  if (error?.key === LIMIT_MIN_KEY) {
    throw new CallFailure('limit-min', 'The amount is below the minimum', {
      params: { min: error.params.amount ?? '' },
    });
  }
  if (error?.key === LIMIT_MAX_KEY) {
    throw new CallFailure('limit-max', 'The amount is above the maximum', {
      params: { max: error.params.amount ?? '' },
    });
  }
  const parsed = parseDecimal(amount, decimalsOf(currency));
  if (error !== undefined || !parsed.ok) {
    const fields = [{ path: 'amount', message: `not an amount of ${currency}` }];
    throw new CallFailure('invalid-request', 'The amount is not one of this currency', { fields });
  }
  const own = method.flags.ownAmountRegex;
  if (own !== undefined && !passes(own, amount)) {
    throw new CallFailure('banking.paymentMethodRegex', 'The amount does not pass the rule of the method', {
      fields: [{ path: 'amount', message: 'does not pass the rule of the method' }],
    });
  }
  if (parsed.minor > LARGEST_AMOUNT) throw new CallFailure('invalid-request', 'The amount is larger than any money');
  return parsed.minor;
}

/** What a bigint of the database holds; a method without a maximum must not let more through. */
const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** What the form asks and what a preparation asked for beyond it: checked alike. */
function fieldsOf(method: CatalogueMethod): FormField[] {
  return [...method.fields, ...method.preparationFields];
}

/** The values that are checked: what a Pix form sends is read back into the fields that the person filled. */
function typedValues(
  method: CatalogueMethod,
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (!hasPixKeyType(fieldsOf(method))) return fields;
  const { pixKey, numberId, ...others } = fields;
  const chosen = fields[PIX_KEY_TYPE_FIELD];
  return {
    ...others,
    ...(numberId !== undefined && { cpf: numberId }),
    ...(chosen !== undefined && pixKey !== undefined && { [chosen]: pixKey }),
  };
}

/** A hidden field with a value is the catalogue's word to the provider, whatever the request says. */
function fixedValues(method: CatalogueMethod): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(method).flatMap(({ name, props }) =>
      props?.isHidden === true && props.value !== undefined ? [[name, props.value] as const] : [],
    ),
  );
}

/**
 * Only fields that the method describes travel on; the wallet is one of them in every method.
 * @throws CallFailure banking.paymentMethodRegex
 */
export function validFields(method: CatalogueMethod, request: FormRequest): Record<string, string> {
  const typed = { ...typedValues(method, request.fields), ...fixedValues(method) };
  const shown = visiblePixFields(fieldsOf(method), typed[PIX_KEY_TYPE_FIELD]);
  const bank = bankOf(shown, typed);
  const errors = shown.flatMap((field) => {
    const value = typed[field.name] ?? '';
    const question = {
      field,
      value,
      method: method.name,
      prefix: countryOfPhone(value.trim(), field.countries ?? [])?.prefix,
      checkLuhn: method.checkLuhn,
      bank,
    };
    const error = isStorableText(value)
      ? validateField(question).error
      : { message: 'holds characters that no text has' };
    return error === undefined ? [] : [{ path: `fields.${field.name}`, message: error.message }];
  });
  if (request.wallet !== undefined && !isStorableText(request.wallet)) {
    errors.push({ path: 'wallet', message: 'holds characters that no text has' });
  }
  if (errors.length > 0) {
    throw new CallFailure('banking.paymentMethodRegex', 'A field does not pass its rule', { fields: errors });
  }
  const values = Object.fromEntries(
    shown.flatMap((field) => {
      const value = normaliseFieldValue(field, typed[field.name] ?? '');
      return value === '' ? [] : [[field.name, value] as const];
    }),
  );
  return {
    ...pixFieldValues(fieldsOf(method), values),
    ...(request.wallet !== undefined && { wallet: request.wallet }),
  };
}

/** A rule that cannot be compiled or could run too long is no rule (FORM-2); the catalogue's own test reports it. */
function passes(pattern: string, value: string): boolean {
  const rule = compileRule(pattern);
  return !rule.ok || rule.matches(value);
}
