// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { checkProvider, readManifest } from '@opencashier/provider-kit';
import { DECLINED_MINOR, FakeCompany, registerConformance, testDeposit } from '@opencashier/provider-kit/testing';
import { createProvider } from '../src/provider.js';

const manifest = readManifest(readFileSync(new URL('../provider.json', import.meta.url), 'utf8'));

/** @param {FakeCompany} company @param {string} apiUrl */
const providerOf = ({ secretKey, webhookSecret }, apiUrl) =>
  createProvider({ secrets: { secretKey, webhookSecret }, settings: { apiUrl }, now: Date.now });

registerConformance({ describe, test }, 'acme', {
  amounts: [1n, 2_500n, 99_999_999n],
  hasRefunds: true,
  hasList: true,
  setUp() {
    /** @type {FakeCompany} */
    let company;
    /** @type {import('@opencashier/provider-kit/testing').ProviderBench} */
    let bench;
    beforeEach(async () => {
      company = new FakeCompany();
      bench = {
        provider: await providerOf(company, await company.open()),
        deposit: testDeposit,
        refused: [
          [testDeposit({ amountMinor: DECLINED_MINOR }), 'declined'],
          [testDeposit({ amountMinor: 2_550n, currency: 'JPY' }), 'declined'],
        ],
        pay: async ({ depositId }) => company.pay(depositId),
        refunds: {
          sentBack: async (providerRef) => company.sentBack(providerRef),
          silence: async () => {
            const answerAgain = company.silence();
            return async () => answerAgain();
          },
        },
        list: {
          shortenPages() {
            company.pageOf = 2;
          },
          silence: () => company.silence(),
          spoil() {
            const time = new Date().toISOString();
            company.transactions.push({ id: 'spoilt', type: 'payment', amount: '25,50', currency: 'EUR', time });
          },
        },
      };
    });
    afterEach(() => company.close());
    return () => bench;
  },
});

test('the provider has what its manifest declares', async () => {
  checkProvider(manifest, await providerOf(new FakeCompany(), 'https://api.acme.example'));
});

test('a broken connection proves nothing, so the create throws', async () => {
  const company = new FakeCompany();
  const provider = await providerOf(company, await company.open());
  company.silence();
  await assert.rejects(() => provider.create(testDeposit()));
  await company.close();
});
