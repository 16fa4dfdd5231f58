import { depositLimits } from '@opencashier/contract/api';
import { answer, CallFailure } from './call.ts';

/** The limits of a method in a currency as the server will enforce them (AMT-3). */
export const depositLimitsHandler = answer(depositLimits, async (request, { caller }, { catalogue }) => {
  const { currency, paymentMethod: name } = request;
  const method = catalogue.method({ operatorId: caller.operatorId, name, currency });
  const rule = method?.directions.includes('deposit') ? method.amount_rules[currency] : undefined;
  if (!rule) throw new CallFailure('method-unavailable', 'The method is not offered in this currency.');
  return { currency, min: rule.min, max: rule.max };
});
