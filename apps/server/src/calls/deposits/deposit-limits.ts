import { depositLimits } from '@opencashier/contract/api';
import { DomainError } from '../../errors/domain-error.ts';
import { answer } from '../handler/call.ts';
import { offeredMethod } from '../methods/offered-method.ts';

const none = '0';

/** What the operator says of a method's limits for this user instead of the catalogue; zeros where it says nothing (AMT-3). */
export const depositLimitsHandler = answer(depositLimits, async (request, { caller }, { catalogue, limitsOf }) => {
  const { currency, paymentMethod: name } = request;
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name, currency });
  if (!method?.directions.includes('deposit')) {
    throw new DomainError('method-unavailable', 'The method is not offered in this currency.');
  }
  return { currency, ...(limitsOf(caller, name, currency) ?? { min: none, max: none }) };
});
