/** The rules of the kit, against a stand-in that is written from the public documents of Paystack. */
import { readFileSync } from 'node:fs';
import { checkProvider, readManifest } from '@opencashier/provider-kit';
import { type ProviderBench, registerConformance, testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { createProvider } from './index.ts';
import { FakePaystack } from './testing/fake-paystack.ts';

const naira = { currency: 'NGN', country: 'NG', fields: { email: 'payer@example.com' } };

registerConformance({ describe, test }, 'paystack', {
  amounts: [1n, 2_500n, 99_999_999n],
  hasRefunds: true,
  hasList: true,
  callbackTime: 'unsigned',
  setUp() {
    let company: FakePaystack;
    let bench: ProviderBench;
    beforeEach(async () => {
      company = new FakePaystack();
      const { secretKey } = company;
      const settings = { apiUrl: await company.open() };
      bench = {
        provider: await createProvider({ secrets: { secretKey }, settings, now: Date.now }),
        deposit(more) {
          let first: string | undefined;
          const keepRequest = async (request: string) => {
            first ??= request;
            return first;
          };
          return testDeposit({ ...naira, keepRequest, ...more });
        },
        refused: [
          [testDeposit({ ...naira, currency: 'EUR' }), 'declined'],
          [testDeposit({ ...naira, fields: {} }), 'declined'],
          [testDeposit({ ...naira, fields: { email: 'nobody' } }), 'failed'],
        ],
        pay: async ({ depositId }) => company.pay(depositId),
        refunds: {
          sentBack: async (depositId) => company.refundsOf(depositId).map(BigInt),
          silence: async () => {
            const answerAgain = company.silence();
            return async () => answerAgain();
          },
        },
        list: {
          shortenPages() {
            company.mostPerPage = 2;
          },
          silence: () => company.silence(),
          spoil() {
            const [[reference, one] = []] = company.transactions;
            if (reference === undefined || one === undefined) throw new Error('Nobody has paid');
            company.transactions.set(reference, { ...one, amount: 25.5 });
          },
          finishRefunds() {
            for (const { reference } of company.transactions.values()) {
              if (company.refundsOf(reference).length > 0) company.settleRefund(reference);
            }
          },
        },
      };
    });
    afterEach(() => company.close());
    return () => bench;
  },
});

test('[SRV-4] the provider of Paystack has what its manifest declares', async () => {
  const manifest = readManifest(readFileSync(new URL('../provider.json', import.meta.url), 'utf8'));
  const settings = { apiUrl: 'https://api.paystack.co' };
  checkProvider(manifest, await createProvider({ secrets: { secretKey: 'sk_test_x' }, settings, now: Date.now }));
});
