import { depositPrepare } from '@opencashier/contract/api';
import { DomainError } from '../../errors/domain-error.ts';
import { answer } from '../handler/call.ts';
import { offeredMethod } from '../methods/offered-method.ts';

/** What a method that is marked `isPreparationRequired` wants to know beyond its first form; nothing for any other. */
export const depositPrepareHandler = answer(depositPrepare, async (request, { caller }, { catalogue }) => {
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name: request.paymentMethod });
  if (!method?.directions.includes('deposit') || method.disabledReason !== undefined) {
    throw new DomainError('method-unavailable', 'The method is not offered.');
  }
  return method.isPreparationRequired === true ? { fields: [...method.preparationFields] } : {};
});
