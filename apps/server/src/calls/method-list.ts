/** What the four list calls share: the catalogue's list with the user's balance beside it (LIST-1, WD-1). */
import type { MethodList } from '@opencashier/contract/api';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { CallScope } from './call.ts';
import type { Services } from './services.ts';

export async function methodListOf(
  direction: 'deposit' | 'withdrawal',
  country: string,
  currency: string,
  scope: CallScope,
  services: Services,
): Promise<MethodList> {
  const { operatorId, userId } = scope.caller;
  const language = scope.context.language;
  const list = services.catalogue.list({ operatorId, direction, country, currency, language });
  if (!findCurrency(currency)) return list;
  const write = (minor: bigint) => ({ currency, amount: toDecimalString(minor, decimalsOf(currency)) });
  const balance = write(await services.payments.balance(operatorId, userId, currency));
  if (direction === 'deposit') return { ...list, balance };
  const additionalBalance = write(await services.withdrawals.balance(scope.caller, 'additional', currency));
  return { ...list, balance, additionalBalance };
}

/** The same methods in one group, for hosts that ask for a flat list. */
export function flattened(list: MethodList): MethodList {
  if (list.methods.length === 0) return list;
  const paymentMethods = list.methods.map(({ name }) => name);
  return {
    ...list,
    groups: [{ name: 'all', label: { en: 'All methods' }, paymentMethods, position: 1, display: 'list' }],
  };
}
