/** The rules of the kit, against a stand-in that is written from the public documents of Checkout.com. */
import { readFileSync } from 'node:fs';
import { checkProvider, type ProviderDeposit, readManifest } from '@opencashier/provider-kit';
import { type ProviderBench, registerConformance, testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProvider } from './index.ts';
import { FakeCheckoutCom } from './testing/fake-checkout-com.ts';

/** The cashier's store of the first request of a deposit. */
export function requestStore(): Required<Pick<ProviderDeposit, 'keepRequest'>>['keepRequest'] {
  let first: string | undefined;
  return async (request) => {
    first ??= request;
    return first;
  };
}

registerConformance({ describe, test }, 'checkout-com', {
  amounts: [1n, 2_500n, 99_999_999n],
  hasRefunds: true,
  callbackTime: 'unsigned',
  setUp() {
    let company: FakeCheckoutCom;
    let bench: ProviderBench;
    beforeEach(async () => {
      company = new FakeCheckoutCom();
      const { secretKey, webhookSecret } = company;
      const settings = { apiUrl: await company.open(), processingChannelId: 'pc_test', afterDecline: 'wait' };
      bench = {
        provider: await createProvider({ secrets: { secretKey, webhookSecret }, settings, now: Date.now }),
        deposit: (more) => testDeposit({ keepRequest: requestStore(), ...more }),
        refused: [
          [testDeposit({ amountMinor: 2_550n, currency: 'JPY' }), 'declined'],
          [testDeposit({ amountMinor: 100_000_000_000n }), 'declined'],
          [testDeposit({ currency: 'USDT' }), 'declined'],
        ],
        pay: async ({ depositId }) => company.webhook('payment_captured', company.attempt(depositId, 'Captured')),
        refunds: {
          sentBack: async (depositId) => company.refundsOf(depositId).map(BigInt),
          silence: async () => {
            const answerAgain = company.silence();
            return async () => answerAgain();
          },
        },
      };
    });
    afterEach(() => company.close());
    return () => bench;
  },
});

describe('the package of Checkout.com', () => {
  test('[SRV-4] its provider has what its manifest declares, and names a wrong setting', async () => {
    const manifest = readManifest(readFileSync(new URL('../provider.json', import.meta.url), 'utf8'));
    const secrets = { secretKey: 'sk_sbox_x', webhookSecret: 'w' };
    const settings = { apiUrl: 'https://api.sandbox.checkout.com', processingChannelId: 'pc', afterDecline: 'end' };
    checkProvider(manifest, await createProvider({ secrets, settings, now: Date.now }));
    const made = (more: object) => async () =>
      createProvider({ secrets, settings: { ...settings, ...more }, now: Date.now });
    await expect(made({ afterDecline: 'maybe' })).rejects.toThrow('afterDecline must be end or wait');
    await expect(made({ apiUrl: 'https://api.checkout.com' })).rejects.toThrow('of the sandbox');
  });
});
