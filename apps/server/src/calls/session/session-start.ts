import { randomUUID } from 'node:crypto';
import { sessionStart } from '@opencashier/contract/api';
import { methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { DomainError } from '../../errors/domain-error.ts';
import { answer } from '../handler/call.ts';

/** Notes that a person is about to pay (AMT-7). A session never credits anything. */
export const sessionStartHandler = answer(sessionStart, async (request, { caller }, { catalogue, database }) => {
  const { amount, currency, pendingGroup } = request;
  const parsed = findCurrency(currency) && parseDecimal(amount, decimalsOf(currency));
  if (!parsed?.ok || parsed.minor <= 0n) {
    throw new DomainError('invalid-request', 'The amount is not valid in this currency.', {
      fields: [{ path: 'amount', message: `Give an amount of ${currency} above zero.` }],
    });
  }
  const { operatorId, userId, country } = caller;
  // An unknown group, or an amount that no method takes, may hold anything that a person typed. It is not stored.
  const { groups, methods } = catalogue.list({ operatorId, direction: 'deposit', country, currency, language: 'en' });
  const isGroup = groups.some(({ name }) => name === pendingGroup);
  const isPayable = methods.some(({ amount_rules: rules }) => {
    const { max } = methodLimits({ currency, rule: rules[currency] });
    return max !== undefined && parsed.minor <= max;
  });
  const paymentSessionId = randomUUID();
  await database.query({
    name: 'payment-session-insert',
    text: `insert into payment_session (id, operator_id, user_id, amount, currency, pending_group)
      values ($1, $2, $3, $4::numeric, $5, $6)`,
    values: [paymentSessionId, operatorId, userId, isPayable ? amount : null, currency, isGroup ? pendingGroup : null],
  });
  return { paymentSessionId };
});
