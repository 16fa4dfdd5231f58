/** What a method tells about itself before a deposit is created. */
import { depositLimits, depositPrepare } from '@opencashier/contract/api';
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

/** What a method that is marked `isPreparationRequired` wants to know beyond its first form; nothing for any other. */
export const depositPrepareHandler = answer(depositPrepare, async (request, { caller }, { catalogue }) => {
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name: request.paymentMethod });
  if (!method?.directions.includes('deposit') || method.disabledReason !== undefined) {
    throw new DomainError('method-unavailable', 'The method is not offered.');
  }
  return method.isPreparationRequired === true ? { fields: [...method.preparationFields] } : {};
});
