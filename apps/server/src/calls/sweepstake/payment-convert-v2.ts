import { type FeeRule, paymentConvertV2 } from '@opencashier/contract/api';
import { convert } from '@opencashier/core/money/conversion';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { splitWithdrawal } from '@opencashier/core/withdrawal/withdrawal-fee';
import { DomainError } from '../../errors/domain-error.ts';
import type { RedemptionRate } from '../../sweepstake/redemptions.ts';
import { answer, type CallScope } from '../handler/call.ts';
import type { Services } from '../handler/services.ts';
import { offeredMethod } from '../methods/offered-method.ts';

/**
 * Converts an amount at the current rate. For sweep coins (SWP-2) and for withdrawals that pay out crypto, the answer has a quote
 * by which the withdrawal can be created.
 */
export const paymentConvertV2Handler = answer(paymentConvertV2, async (request, scope, services) => {
  const { amount, from, to, paymentMethod } = request;
  const minor = amountOf(amount, from);
  const method = paymentMethod === undefined ? undefined : await feeOf(paymentMethod, request, scope, services);
  const isPaidOut = from === SWEEP_COIN || method?.isConverted === true;
  const known = findCurrency(to) && (await rateOf({ from, to, isPaidOut }, scope, services));
  if (known === undefined) throw new DomainError('not-found', `No exchange rate from ${from} to ${to} is known`);
  const split = method && splitWithdrawal(minor, from, method.fee);
  const arrives = split === undefined ? minor : split.receives;
  const converted = convert({ currency: from, minor: arrives > 0n ? arrives : 0n }, to, known.rate, 'down');
  return {
    amount: toDecimalString(converted.minor, decimalsOf(to)),
    rate: known.rate,
    asOf: new Date(known.at).toISOString(),
    isStale: known.isStale,
    ...(split && { fee: toDecimalString(split.fee, decimalsOf(from)) }),
    ...(known.agreed && { quote: known.agreed.quote, expires: new Date(known.agreed.expiresAt).toISOString() }),
  };
});

function amountOf(amount: string, from: string): bigint {
  const parsed = findCurrency(from) === undefined ? undefined : parseDecimal(amount, decimalsOf(from));
  if (parsed?.ok) return parsed.minor;
  const fields = [{ path: 'amount', message: `not an amount of ${from}` }];
  throw new DomainError('invalid-request', 'The amount is not valid in this currency', { fields });
}

/** Gold has no value, so it has no rate. */
async function rateOf(
  { from, to, isPaidOut }: { readonly from: string; readonly to: string; readonly isPaidOut: boolean },
  { caller }: CallScope,
  { rates, redemptions }: Services,
): Promise<RedemptionRate | undefined> {
  if (isPaidOut) return redemptions.rate(caller, from, to);
  const found = await rates.quote(from, to);
  return found === 'none' ? undefined : { rate: found.rate, at: found.at, isStale: found.isStale };
}

/** @throws DomainError method-unavailable */
async function feeOf(
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
  { caller }: CallScope,
  { catalogue }: Services,
): Promise<{ readonly fee: FeeRule | undefined; readonly isConverted: boolean }> {
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name, currency: from });
  if (!method?.directions.includes('withdrawal') || (method.payoutCurrency ?? from) !== to) {
    throw new DomainError('method-unavailable', `${name} does not pay ${from} out as ${to}`);
  }
  return { fee: method.fees?.[from], isConverted: from !== to };
}
