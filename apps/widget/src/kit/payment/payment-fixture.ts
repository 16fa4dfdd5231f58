/** A deposit that waits for a manual payment, as the server reports it, for the tests of its pages. */
import type { DepositData, PaymentMethod, Transaction } from '@opencashier/contract/api';
import { ClientError } from '../../api/client.ts';
import { cardMethod, indiaCatalogue } from '../method/catalogue-fixture.ts';
import { type Answers, createFixtureServices, type FixtureServices } from '../session/services-fixture.ts';

export const paymentId = '01890a5d-ac96-774b-bcce-b302099a8057';

const { fields: _fields, prefilledAmount: _prefilled, ...plainCard } = cardMethod;

/** The method of the address `…/bank_card/…`. */
export const paymentMethod = (more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  ...plainCard,
  fields: [],
  ...more,
});

/** The server's report about the deposit, which was created at the start of the test clock, by the server's clock. */
export function paymentReport(services: Pick<FixtureServices, 'clock'>, more: Partial<Transaction> = {}): Transaction {
  const now = new Date(services.clock.now()).toISOString();
  return {
    depositId: paymentId,
    paymentMethod: 'bank_card',
    status: 0,
    amount: '1500.00',
    currency: 'INR',
    created: now,
    serverTime: now,
    ...more,
  };
}

export const refusal = (code: string, status: number) => () =>
  Promise.reject(new ClientError({ kind: 'refused', code, status, message: code }));
export const connectionLost = () =>
  Promise.reject(new ClientError({ kind: 'unknown', code: 'socket.networkError', status: 0, message: 'lost' }));

/** Services of a server that knows this one deposit. Its clock agrees with the device's clock until a test changes it. */
export function paymentServices(
  data: DepositData | null,
  more: { readonly answers?: Answers; readonly method?: PaymentMethod } = {},
): FixtureServices {
  const services = createFixtureServices({
    'methods-payment-v5': {
      ...indiaCatalogue,
      methods: [more.method ?? paymentMethod(), ...indiaCatalogue.methods.slice(2)],
    },
    'deposit-limits': { currency: 'INR', min: '0', max: '0' },
    'session-start': { paymentSessionId: 'session-1' },
    'deposit-create': { apiResponse: { depositId: paymentId, data } },
  });
  services.answer('deposit-status', paymentReport(services));
  for (const [name, answer] of Object.entries(more.answers ?? {})) services.answer(name, answer);
  return services;
}
