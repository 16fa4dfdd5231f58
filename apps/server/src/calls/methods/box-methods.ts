/** The methods that can buy a coin box: they sell boxes, and the price is within their limits (SWP-1). */
import type { MethodList } from '@opencashier/contract/api';
import { checkAmount } from '@opencashier/core/limits/check-amount';
import { methodLimits } from '@opencashier/core/limits/limits';
import { findBox, priceOf } from '../../sweepstake/box-store.ts';
import type { CallScope } from '../handler/call.ts';
import type { Services } from '../handler/services.ts';
import { methodListOf } from './method-list.ts';

/** Lists in the box's own currency, whatever the request names. Lists no methods when the box is not on sale. */
export async function boxMethodsOf(
  boxId: string,
  country: string,
  currency: string,
  scope: CallScope,
  services: Services,
): Promise<MethodList> {
  const { caller } = scope;
  const box = await findBox(services.database, caller.operatorId, boxId);
  // A box has a price of its own, so the amount of the last deposit is of no use here.
  const { lastDeposit: _l, ...list } = await methodListOf(
    'deposit',
    country,
    box?.currency ?? currency,
    scope,
    services,
  );
  const methods = list.methods.filter(({ name }) => {
    if (!box?.isOnSale) return false;
    const offer = { operatorId: caller.operatorId, name, currency: box.currency, country };
    const method = services.catalogue.method(offer);
    if (method?.sellsBoxes !== true) return false;
    const server = services.limitsOf(caller, name, box.currency);
    const limits = methodLimits({ currency: box.currency, rule: method.amount_rules[box.currency], country, server });
    return checkAmount(priceOf(box), limits) === undefined;
  });
  const names = new Set(methods.map(({ name }) => name));
  const groups = list.groups.flatMap((group) => {
    const paymentMethods = group.paymentMethods.filter((name) => names.has(name));
    return paymentMethods.length === 0 ? [] : [{ ...group, paymentMethods }];
  });
  return { ...list, groups, methods };
}
