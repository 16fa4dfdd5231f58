/** Checks a create call again on the server, by the rules of the widget (SRV-8). */

import { type Limits, methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { validAmount, validFields } from '../catalogue/method-form.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type UserRules, userLimit } from '../operators/user-rules.ts';
import { chooseAccount } from '../payment-ports/connected-providers.ts';
import type { PaymentsOptions } from '../payment-ports/payments-core.ts';
import { type AccountChoice, accountForDeposit } from './chosen-account.ts';
import type { CreateDeposit } from './payments.ts';

/** A create call that passed all checks. */
export interface ValidDeposit {
  readonly method: CatalogueMethod;
  /** The account that takes the payment, and why. */
  readonly chosen: AccountChoice;
  /** Minor units of the request's currency. */
  readonly amountMinor: bigint;
  /** The limits that applied. */
  readonly limits: Limits;
  readonly country: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Version of the operator's catalogue settings that applied. */
  readonly catalogueVersion: number;
}

/**
 * Checks a create call.
 * @param rules the user's own limits, which go before those of the operator and of the catalogue
 * @throws DomainError method-unavailable, limit-min, limit-max, invalid-request, banking.paymentMethodRegex
 */
export function validateDeposit(
  {
    catalogue,
    limitsOf,
    ...accounts
  }: Pick<PaymentsOptions, 'catalogue' | 'providers' | 'connections' | 'routes' | 'limitsOf'>,
  { caller, request, p2p, box }: Pick<CreateDeposit, 'caller' | 'request' | 'p2p' | 'box'>,
  rules: UserRules,
): ValidDeposit {
  const country = request.selectedCountry ?? caller.country;
  const { operatorId } = caller;
  const method = catalogue.method({ operatorId, name: request.paymentType, currency: request.currency, country });
  const unavailable = () => new DomainError('method-unavailable', `${request.paymentType} is not offered here`);
  const isOffered =
    method?.directions.includes('deposit') && method.disabledReason === undefined && findCurrency(request.currency);
  if (!isOffered || method === undefined) throw unavailable();
  const hasAccount = chooseAccount(accounts, operatorId, method.provider, request.currency) !== undefined;
  // Only the amount tells which accounts of a route take the payment.
  if (!hasAccount && accounts.routes === undefined) throw unavailable();
  if (p2p !== undefined && method.flags.p2p !== true) {
    throw new DomainError('method-unavailable', `${request.paymentType} is not a peer-to-peer method`);
  }
  if (box !== undefined && method.sellsBoxes !== true) {
    throw new DomainError('method-unavailable', `${request.paymentType} does not sell coin boxes`);
  }
  const limits = methodLimits({
    currency: request.currency,
    rule: method.amount_rules[request.currency],
    country,
    server:
      userLimit(rules, 'deposit', method.name, request.currency) ?? limitsOf(caller, method.name, request.currency),
  });
  const amountMinor = validAmount(method, request, limits);
  const chosen = accountForDeposit(accounts, method, {
    operatorId,
    method: method.name,
    currency: request.currency,
    amount: toDecimalString(amountMinor, decimalsOf(request.currency)),
    country,
    seed: request.depositId,
  });
  if (chosen === undefined) throw unavailable();
  return {
    method,
    chosen,
    amountMinor,
    limits,
    country,
    fields: validFields(method, request),
    catalogueVersion: catalogue.version(operatorId),
  };
}
