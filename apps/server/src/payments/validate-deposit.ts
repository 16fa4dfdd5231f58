/** A create call is checked by the same rules as in the widget, again (SRV-8). */
import type { FormField } from '@opencashier/contract/api';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { checkAmount, LIMIT_MAX_KEY, LIMIT_MIN_KEY, methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { CallFailure } from '../calls/call.ts';
import type { Catalogue, CatalogueMethod } from '../catalogue/catalogue.ts';
import type { Provider } from '../providers/provider.ts';
import type { CreateDeposit } from './payments.ts';

export interface ValidDeposit {
  readonly method: CatalogueMethod;
  readonly provider: Provider;
  /** Minor units of the request's currency. */
  readonly amountMinor: bigint;
  readonly country: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws CallFailure method-unavailable, limit-min, limit-max, invalid-request, banking.paymentMethodRegex */
export function validateDeposit(
  catalogue: Catalogue,
  providers: ReadonlyMap<string, Provider>,
  { caller, request }: Pick<CreateDeposit, 'caller' | 'request'>,
): ValidDeposit {
  const country = request.selectedCountry ?? caller.country;
  const { operatorId } = caller;
  const method = catalogue.method({ operatorId, name: request.paymentType, currency: request.currency, country });
  const provider = method && providers.get(method.provider);
  const isOffered =
    method?.directions.includes('deposit') && method.disabledReason === undefined && findCurrency(request.currency);
  if (!isOffered || method === undefined || provider === undefined) {
    throw new CallFailure('method-unavailable', `${request.paymentType} is not offered here`);
  }
  return {
    method,
    provider,
    amountMinor: validAmount(method, request, country),
    country,
    fields: validFields(method, request),
  };
}

function validAmount(method: CatalogueMethod, request: CreateDeposit['request'], country: string): bigint {
  const { amount, currency } = request;
  const limits = methodLimits({ currency, rule: method.amount_rules[currency], country });
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
  return parsed.minor;
}

/** Only fields that the method describes travel on, by their name; the wallet is one of them in every method. */
function validFields(method: CatalogueMethod, request: CreateDeposit['request']): Record<string, string> {
  const described = method.fields.flatMap((field) => {
    const value = request.fields[field.name]?.trim();
    return value === undefined || value === '' ? [] : [{ field, value }];
  });
  const wrong = described
    .filter(({ field, value }) => !rulesOf(field).every((rule) => passes(rule, value)))
    .map(({ field }) => ({ path: `fields.${field.name}`, message: 'does not pass its rule' }));
  const missing = method.fields
    .filter((field) => isRequired(field) && !described.some((given) => given.field === field))
    .map((field) => ({ path: `fields.${field.name}`, message: 'is missing' }));
  if (wrong.length + missing.length > 0) {
    throw new CallFailure('banking.paymentMethodRegex', 'A field does not pass its rule', {
      fields: [...wrong, ...missing],
    });
  }
  return {
    ...Object.fromEntries(described.map(({ field, value }) => [field.name, value])),
    ...(request.wallet !== undefined && { wallet: request.wallet }),
  };
}

/** A hidden or advanced field may be left out; so may one of several kinds of key, of which the person chooses one. */
function isRequired(field: FormField): boolean {
  return field.props?.isHidden !== true && field.props?.isAdvanced !== true && field.category === undefined;
}

function rulesOf(field: FormField): string[] {
  const own = field.regex === undefined ? [] : [field.regex];
  return [
    ...own,
    ...(field.props?.validations ?? []).flatMap((rule) => (rule.regex === undefined ? [] : [rule.regex])),
  ];
}

/** A rule that cannot be compiled or could run too long is no rule (FORM-2); the catalogue's own test reports it. */
function passes(pattern: string, value: string): boolean {
  const rule = compileRule(pattern);
  return !rule.ok || rule.matches(value);
}
