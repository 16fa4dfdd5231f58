/** A card whose provider has its own page. */
import type { PaymentMethod } from '@opencashier/contract/api';
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { type Answers, createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const { fields: _fields, prefilledAmount: _prefilled, ...plainCard } = cardMethod;
export const card = (more: Partial<PaymentMethod> = {}): PaymentMethod => ({ ...plainCard, fields: [], ...more });

export function redirectServices(answers: Answers = {}, method: PaymentMethod = card(), isNative = false) {
  const catalogue = { ...indiaCatalogue, methods: [method, ...indiaCatalogue.methods.slice(2)] };
  return createFixtureServices(
    {
      'methods-payment-v5': catalogue,
      'deposit-limits': { currency: 'INR', min: '0', max: '0' },
      'session-start': { paymentSessionId: 'session-1' },
      ...answers,
    },
    { session: createSession({ isNative }) },
  );
}
