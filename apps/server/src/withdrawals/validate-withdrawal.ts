/** Checks a withdrawal again on the server, by the rules of the widget (WD-2, SRV-8). */

import type { ConfirmationChannel } from '@opencashier/contract/api';
import {
  ADDRESS_CONTRACT_KEY,
  type AddressError,
  checkAddress,
  checkedNetwork,
} from '@opencashier/core/crypto/address-check';
import { type Limits, methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { BALANCE_EXCEEDED_KEY, checkWithdrawalAmount } from '@opencashier/core/withdrawal/withdrawal-amount';
import { leastAmount, splitWithdrawal } from '@opencashier/core/withdrawal/withdrawal-fee';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { validAmount, validFields } from '../catalogue/method-form.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type UserRules, userLimit } from '../operators/user-rules.ts';
import { type ChosenAccount, chooseAccount } from '../payment-ports/connected-providers.ts';
import type { PaymentsOptions } from '../payment-ports/payments-core.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

/** A create call that passed all checks. */
export interface ValidWithdrawal {
  readonly method: CatalogueMethod;
  /** The account that pays. */
  readonly account: ChosenAccount;
  /** Minor units of the request's currency; the fee is a part of the amount. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly country: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Version of the operator's catalogue settings that applied. */
  readonly catalogueVersion: number;
  /** The channel of the confirmation code; undefined: no code is needed. */
  readonly codeChannel: ConfirmationChannel | undefined;
}

type RuleSources = Pick<
  PaymentsOptions,
  'catalogue' | 'providers' | 'connections' | 'limitsOf' | 'codeChannelOf' | 'tokenContracts'
>;

/** The name of the field with a wallet address, in every crypto method. */
const WALLET = 'wallet';

/**
 * Checks a create call.
 * @param balanceMinor balance of the requested account, for the error message; the hold checks it again. Undefined: the operator's wallet
 *   keeps the balance, and is asked later
 * @param rules the user's own limits, which go before those of the operator and of the catalogue
 * @throws DomainError method-unavailable, insufficient-funds, limit-min, limit-max, invalid-request,
 * banking.paymentMethodRegex
 */
export function validateWithdrawal(
  { catalogue, limitsOf, codeChannelOf, tokenContracts, ...accounts }: RuleSources,
  { caller, request }: CreateWithdrawal,
  balanceMinor: bigint | undefined,
  rules: UserRules,
): ValidWithdrawal {
  const { amount, currency, paymentMethod } = request;
  const country = request.selectedCountry ?? caller.country;
  const method = catalogue.method({ operatorId: caller.operatorId, name: paymentMethod, currency, country });
  const account = method && chooseAccount(accounts, caller.operatorId, method.provider, currency);
  const isOffered =
    method?.directions.includes('withdrawal') && method.disabledReason === undefined && findCurrency(currency);
  if (!isOffered || method === undefined || account?.paysOut !== true) {
    throw new DomainError('method-unavailable', `${paymentMethod} is not offered here`);
  }
  const server = userLimit(rules, 'withdrawal', method.name, currency) ?? limitsOf(caller, method.name, currency);
  const limits = methodLimits({ currency, rule: method.amount_rules[currency], country, server });
  requireBalance(amount, limits, balanceMinor);
  const amountMinor = validAmount(method, request, limits);
  const { fee, receives } = splitWithdrawal(amountMinor, currency, method.fees?.[currency]);
  if (receives <= 0n) {
    const min = toDecimalString(leastAmount(currency, method.fees?.[currency]), decimalsOf(currency));
    throw new DomainError('limit-min', 'The amount does not cover the fee', { params: { min } });
  }
  // The user has chosen a card, and typed nothing.
  const fields = method.flags.paysToPaidCards === true ? {} : destinationOf(method, request, tokenContracts);
  const codeChannel =
    method.confirmationCode?.channel ?? codeChannelOf?.(caller, { paymentMethod, currency, amountMinor });
  const catalogueVersion = catalogue.version(caller.operatorId);
  return { method, account, amountMinor, feeMinor: fee, country, fields, catalogueVersion, codeChannel };
}

/** @throws DomainError insufficient-funds */
function requireBalance(amount: string, limits: Limits, balanceMinor: bigint | undefined): void {
  if (balanceMinor === undefined) return;
  const balance = toDecimalString(balanceMinor, decimalsOf(limits.currency));
  if (checkWithdrawalAmount(amount, limits, balance)?.key === BALANCE_EXCEEDED_KEY) throw insufficientFunds(balance);
}

/** The error for an amount above the balance, a decimal string. */
export function insufficientFunds(balance: string): DomainError {
  return new DomainError('insufficient-funds', 'The balance does not cover the amount', { params: { max: balance } });
}

/** The checked destination. The request may have the wallet in its own property or among the fields. */
function destinationOf(
  method: CatalogueMethod,
  request: CreateWithdrawal['request'],
  tokenContracts: readonly string[] | undefined,
): Record<string, string> {
  const { wallet, fields, ...rest } = request;
  const typed = fields[WALLET];
  if (wallet !== undefined) {
    const isAsked = method.fields.some(({ name }) => name === WALLET);
    if (!isAsked || (typed !== undefined && typed !== wallet)) {
      throw new DomainError('invalid-request', 'The method does not pay to this wallet', {
        fields: [{ path: WALLET, message: isAsked ? 'differs from fields.wallet' : 'not a field of this method' }],
      });
    }
  }
  const all = wallet === undefined ? fields : { ...fields, [WALLET]: wallet };
  requireAddress(method, all, tokenContracts);
  return validFields(method, { ...rest, fields: all });
}

/** Checks a wallet address before the method's own rule, because only this check can name the right network. */
function requireAddress(
  method: CatalogueMethod,
  fields: Readonly<Record<string, string>>,
  tokenContracts: readonly string[] | undefined,
): void {
  const address = fields[WALLET]?.trim();
  const network = fields['network']?.trim() ?? method.network;
  if (!isCoinMethod(method) || address === undefined || address === '' || network === undefined) return;
  // A network that the method does not offer is reported at its own field.
  if (checkedNetwork(network) === undefined) return;
  const error = checkAddress(address, network, tokenContracts);
  if (error === undefined) return;
  throw new DomainError('banking.paymentMethodRegex', messageOf(error), {
    fields: [{ path: `fields.${WALLET}`, message: error.key }],
    params: { ...error.params },
  });
}

function messageOf({ key, params: { network, belongsTo } }: AddressError): string {
  if (key === ADDRESS_CONTRACT_KEY) return `This is the address of a token contract on ${network}, not of a wallet`;
  return belongsTo === undefined
    ? `This is not an address of ${network}`
    : `This is an address of ${belongsTo}. This method pays only to ${network}`;
}

function isCoinMethod({ category, fields }: CatalogueMethod): boolean {
  return category === 'crypto' && fields.some(({ name }) => name === WALLET);
}
