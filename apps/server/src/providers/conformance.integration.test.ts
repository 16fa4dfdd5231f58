import { randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { HDKey } from '@scure/bip32';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { createCryptoProvider } from './crypto/crypto.ts';
import { FakeChain } from './crypto/testing/fake-chain.ts';
import { FakeNode } from './crypto/testing/fake-node.ts';
import { openLightningAccount } from './lightning/lightning-connection.ts';
import { FakePhoenixd } from './lightning/phoenixd.fixture.ts';
import { deposit, setUpBench } from './sandbox/testing/bench.ts';
import { createStripeProvider } from './stripe/stripe.ts';
import { keepSessions, StripeApi } from './stripe/stripe-api.fixture.ts';
import { describeProvider, type ProviderBench } from './testing/conformance.ts';

describeProvider('sandbox', {
  // The last two digits of an amount choose the sandbox's outcome.
  amounts: [100n, 2_500n, 99_999_999_900n],
  hasRefunds: true,
  setUp() {
    const bench = setUpBench();
    return () => {
      const { sandbox, receiver, clock, openPage, choose, pass, verifiedReports, opened } = bench();
      return {
        provider: sandbox.provider,
        deposit,
        refused: [
          [deposit({ amountMinor: 2_501n }), 'declined'],
          [deposit({ providerOptions: { flow: 'no-such-flow' } }), 'failed'],
        ],
        refunds: {
          async sentBack(providerRef) {
            await pass(60_000);
            const told = verifiedReports().filter(
              (one) => one.providerRef === providerRef && one.outcome === 'reversed',
            );
            return [...new Map(told.map((one) => [one.eventId, one.paidMinor ?? 2_500n])).values()];
          },
          async silence(providerRef) {
            const decide = (decision: string) =>
              opened.database.query({
                text: 'update sandbox_payment set decision = $2 where ref = $1',
                values: [providerRef, decision],
              });
            await decide('silent');
            return async () => {
              await decide('approve');
            };
          },
        },
        async pay(request) {
          const page = await openPage(request);
          await choose(page, 'approve');
          await pass(1000);
          const { headers, rawBody } = receiver.received.at(-1) ?? { headers: {}, rawBody: Buffer.alloc(0) };
          const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
          return { headers: plain, rawBody, receivedAt: clock.now() };
        },
      };
    };
  },
});

describeProvider('stripe', {
  amounts: [50n, 2_500n, 99_999_999n],
  hasRefunds: true,
  setUp() {
    const secret = 'whsec_conformance';
    const clock = createTestClock(Date.UTC(2026, 10, 20, 12));
    let api: StripeApi;
    let bench: ProviderBench;
    beforeEach(async () => {
      api = new StripeApi();
      const sessions = keepSessions(api);
      const address = await api.open();
      const provider = createStripeProvider({ secretKey: 'sk_test_1', webhookSecrets: [secret], api: address, clock });
      const ofStripe = (more = {}) => deposit({ currency: 'EUR', country: 'DE', ...more });
      bench = {
        provider,
        deposit: ofStripe,
        refused: [[ofStripe({ currency: 'JPY', amountMinor: 2_550n }), 'declined']],
        refunds: {
          sentBack: async (providerRef) => sessions.sentBack(providerRef).map(BigInt),
          async silence() {
            const { answer } = api;
            api.answer = () => 'break';
            return async () => {
              api.answer = answer;
            };
          },
        },
        async pay(_request, providerRef) {
          const body = JSON.stringify({
            id: 'evt_1',
            object: 'event',
            livemode: false,
            type: 'checkout.session.completed',
            created: clock.now() / 1000,
            data: { object: sessions.pay(providerRef) },
          });
          const header = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
            payload: body,
            secret,
            timestamp: clock.now() / 1000,
          });
          return { headers: { 'stripe-signature': header }, rawBody: Buffer.from(body), receivedAt: clock.now() };
        },
      };
    });
    afterEach(() => api.close());
    return () => bench;
  },
});

describeProvider('crypto', {
  amounts: [1n, 12_345_678n, 2_100_000_000_000_000n],
  hasRefunds: false,
  setUp() {
    const chain = new FakeChain();
    const node = new FakeNode('esplora', chain);
    let opened: TestDatabase;
    let bench: ProviderBench;
    beforeAll(async () => {
      opened = await openTestDatabase();
      const { database } = opened;
      const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(5)).derive("m/84'/0'/0'").publicExtendedKey;
      const settings = {
        nodes: [{ url: await node.open(), headers: {} }],
        account,
        tokens: {},
        isCoinWatched: true,
        confirmations: 2,
        questionsPerSecond: 1000,
      };
      const ofCrypto = (more = {}) => deposit({ currency: 'BTC', fields: { network: 'btc' }, ...more });
      bench = {
        provider: createCryptoProvider({
          database,
          clock: systemClock,
          log: silentLogger,
          settings: { chains: { bitcoin: settings } },
        }),
        deposit: ofCrypto,
        refused: [
          [ofCrypto({ depositId: randomUUID(), fields: { network: 'trc20' } }), 'failed'],
          [ofCrypto({ depositId: randomUUID(), currency: 'USDT' }), 'failed'],
        ],
        async pay({ amountMinor }, providerRef) {
          chain.send({ to: providerRef.slice('bitcoin:'.length), raw: amountMinor });
          chain.mine(2);
          return undefined;
        },
        async makeDue() {
          await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
        },
      };
    });
    afterAll(async () => {
      await node.close();
      await opened.drop();
    });
    return () => bench;
  },
});

describeProvider('lightning', {
  amounts: [1n, 12_345_678n, 2_100_000_000n],
  hasRefunds: false,
  setUp() {
    const clock = createTestClock(Date.UTC(2026, 10, 20, 12));
    let node: FakePhoenixd;
    let bench: ProviderBench;
    beforeEach(async () => {
      node = new FakePhoenixd(clock.now);
      const open = openLightningAccount({ nodes: [await node.open()], money: 'real', clock });
      const secrets = { password: node.password, webhookSecret: node.webhookSecret };
      const ofLightning = (more = {}) => deposit({ currency: 'BTC', country: 'DE', ...more });
      bench = {
        provider: open({ connectionId: 'one', operatorId: 'op', secrets, options: {} }),
        deposit: ofLightning,
        refused: [[ofLightning({ currency: 'EUR' }), 'failed']],
        pay: async (_request, providerRef) => node.pay(providerRef),
      };
    });
    afterEach(() => node.close());
    return () => bench;
  },
});
