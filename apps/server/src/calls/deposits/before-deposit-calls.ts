/** The calls that a widget makes about a method before it creates a deposit. */
import { depositLimits, depositPrepare } from '@opencashier/contract/api';
import { DomainError } from '../../errors/domain-error.ts';
import { readUserRules, userLimit } from '../../operators/user-rules.ts';
import { answer } from '../handler/call.ts';
import { offeredMethod } from '../methods/offered-method.ts';

const none = '0';

/** The limits that the operator set for this user, which go before the catalogue's. Zeros where the operator set none (AMT-3). */
export const depositLimitsHandler = answer(
  depositLimits,
  async (request, { caller }, { catalogue, database, limitsOf }) => {
    const { currency, paymentMethod: name } = request;
    const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name, currency });
    if (!method?.directions.includes('deposit')) {
      throw new DomainError('method-unavailable', 'The method is not offered in this currency.');
    }
    const rules = await readUserRules(database, caller);
    const own = userLimit(rules, 'deposit', name, currency) ?? limitsOf(caller, name, currency);
    return { currency, ...(own ?? { min: none, max: none }) };
  },
);

/** The further fields of a method that is marked `isPreparationRequired`. Any other method has none. */
export const depositPrepareHandler = answer(depositPrepare, async (request, { caller }, { catalogue }) => {
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name: request.paymentMethod });
  if (!method?.directions.includes('deposit') || method.disabledReason !== undefined) {
    throw new DomainError('method-unavailable', 'The method is not offered.');
  }
  return method.isPreparationRequired === true ? { fields: [...method.preparationFields] } : {};
});
