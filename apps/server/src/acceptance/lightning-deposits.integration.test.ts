/** Deposits over Lightning, from the invoice to the ledger. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { openLightningAccount } from '../providers/lightning/lightning-connection.ts';
import { FakePhoenixd } from '../providers/lightning/phoenixd.fixture.ts';
import type { Provider } from '../providers/provider.ts';
import { createCoinBench } from './coin-bench.fixture.ts';

const SAT = 1n;
let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe('[SRV-4] [SRV-2] a deposit over Lightning', () => {
  let node: FakePhoenixd;
  let provider: Provider;
  let payments: ReturnType<typeof createCoinBench>['payments'];

  beforeEach(async () => {
    node = new FakePhoenixd(systemClock.now);
    const open = openLightningAccount({ nodes: [await node.open()], money: 'real', clock: systemClock });
    const secrets = { password: node.password, webhookSecret: node.webhookSecret };
    provider = open({ connectionId: 'one', operatorId: 'op', secrets, options: {} });
    payments = createCoinBench(database, provider, {
      providerOptions: {},
      amount_rules: { BTC: { min: '0.00001', max: '0.05' } },
    }).payments;
  });
  afterEach(() => node.close());

  /** A deposit of 21,000 satoshis. */
  async function openDeposit() {
    const caller = { ...ann, userId: `user-${randomUUID()}`, currency: 'BTC' };
    const command = commandOf({ amount: '0.00021', currency: 'BTC', paymentType: 'coin' }, caller);
    const { apiResponse } = await payments.createDeposit(command);
    const { depositId } = command.request;
    const { paymentHash = '' } = node.invoices.find(({ externalId }) => externalId === depositId) ?? {};
    return {
      depositId,
      paymentHash,
      data: apiResponse.data,
      balance: () => userBalance(database, 'op', caller.userId, 'BTC'),
      status: () => payments.depositStatus(caller, depositId),
    };
  }
  async function receive(rawBody: Uint8Array): Promise<void> {
    const report = await provider.read(rawBody);
    if (report !== undefined) await payments.apply(report);
  }

  test('is credited once, however often the webhook and the inquiry say so', async () => {
    const { depositId, paymentHash, balance, status, data } = await openDeposit();
    expect(data).toMatchObject({ unifiedFlow: true, requisites: [{ value: expect.stringMatching(/^lnbc210000n1/) }] });
    const { rawBody } = node.pay(paymentHash);
    await receive(rawBody);
    await receive(rawBody);
    const report = await provider.inquire({ depositId, providerRef: paymentHash });
    if (report !== undefined) await payments.apply(report);
    expect(await balance()).toBe(21_000n * SAT);
    expect(await status()).toMatchObject({ status: 1 });
  });

  test('is not credited by a signed webhook about an invoice that nobody has paid', async () => {
    const { paymentHash, balance } = await openDeposit();
    await receive(node.webhook({ paymentHash, amountSat: 21_000 }).rawBody);
    expect(await balance()).toBe(0n);
  });

  test('is credited with the whole amount that a wallet sent above the invoice', async () => {
    const { paymentHash, balance } = await openDeposit();
    await receive(node.pay(paymentHash, 25_000).rawBody);
    expect(await balance()).toBe(25_000n * SAT);
  });

  test('is credited with the invoice where the node kept a fee for its channel', async () => {
    const { paymentHash, balance } = await openDeposit();
    await receive(node.pay(paymentHash, 17_500).rawBody);
    expect(await balance()).toBe(21_000n * SAT);
  });

  test('is late money where it was paid after the deposit had expired', async () => {
    const { depositId, paymentHash, balance } = await openDeposit();
    await payments.apply({
      provider: 'lightning',
      providerRef: paymentHash,
      depositId,
      outcome: 'expired',
      eventId: `${paymentHash}:expired`,
      at: new Date().toISOString(),
    });
    const suspense = () => accountBalance(database, 'op', { owner: '', asset: 'BTC', kind: 'suspense' });
    const before = await suspense();
    await receive(node.pay(paymentHash).rawBody);
    expect([await balance(), (await suspense()) - before]).toEqual([0n, 21_000n * SAT]);
  });

  test('has certainly failed where the node was down, and the payer can try again', async () => {
    node.mood = 'down';
    await expect(openDeposit()).rejects.toThrow('node-unreachable');
    expect(node.invoices).toEqual([]);
    node.mood = 'well';
    const again = await openDeposit();
    await receive(node.pay(again.paymentHash).rawBody);
    expect(await again.balance()).toBe(21_000n * SAT);
  });
});

test('[SRV-2] after all these tests the ledger is sound', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
