/** Every shape of a deposit, through the whole server: create, payment at the provider, status, ledger. */
import { randomUUID } from 'node:crypto';
import type { DepositResponse, MethodList } from '@opencashier/contract/api';
import { nextStep } from '@opencashier/core/deposit/next-step';
import { isIban } from '@opencashier/core/fields/iban';
import { crc16 } from '@opencashier/core/payment-codes/pix-code';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { atProvider, dataOf, intents, Person } from '../transports/testing/person.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running?.stop());

describe('each shape', () => {
  test.each([
    ['redirect', intents.redirect, 'redirect'],
    ['unified form', intents.unified, 'unified-form'],
    ['unified form with a picture', intents.unifiedImage, 'unified-form'],
    ['eazype', intents.eazype, 'custom-page'],
    ['pix', intents.pix, 'custom-page'],
    ['india', intents.india, 'own-route'],
    ['host to host', intents.hostToHost, 'host-to-host'],
    ['virtual account', intents.virtual, 'host-to-host'],
    ['bank transfer', intents.sepa, 'host-to-host'],
    ['cash agents', intents.cash, 'own-route'],
    ['cash at a till', intents.till, 'unified-form'],
    ['on-ramp', intents.onramp, 'offers'],
    ['crypto', intents.tron, 'own-route'],
  ] as const)('%s: leads where it should, is paid at the provider and credited once', async (_name, intent, kind) => {
    const person = await Person.with(running, intent);
    const depositId = randomUUID();
    const created = await person.create(depositId);
    expect(created.status, JSON.stringify(created.error)).toBe(200);
    expect(nextStep(created.data as DepositResponse, { allowLoopbackHttp: true }, () => true).kind).toBe(kind);
    expect(await person.create(depositId)).toEqual(created);
    expect(await atProvider(running, depositId, 'pay')).toBe(303);
    await person.becomes(depositId, { status: 1 });
    expect(await person.balance()).toBeGreaterThan(0n);
    expect(await auditLedger(running.database)).toMatchObject({ isSound: true });
  });

  test('[DEP-5] [SRV-8] what the answer asks for with "I have paid" is checked and stands at the company', async () => {
    const person = await Person.with(running, intents.unifiedInputs);
    const depositId = randomUUID();
    const asked = dataOf(await person.create(depositId)).inputFields ?? [];
    expect(asked.map(({ name }) => name)).toEqual(['fullName', 'accountEnd']);
    const paymentMethod = person.intent.method;
    const complete = (fields: object) => person.call('deposit-complete', { depositId, paymentMethod, fields });
    const good = { fullName: 'Dilnoza Karimova', accountEnd: '4711' };
    for (const [fields, path] of [
      [{ ...good, accountEnd: '471' }, 'fields.accountEnd'],
      [{ ...good, accountEnd: '0000' }, 'fields.accountEnd'],
      [{ ...good, pin: '1' }, 'fields.pin'],
    ] as const) {
      expect(await complete(fields)).toMatchObject({
        status: 422,
        error: { code: 'banking.paymentMethodRegex', fields: [{ path }] },
      });
    }
    expect(await complete(Object.fromEntries([['a b', 'c']]))).toMatchObject({ error: { code: 'invalid-request' } });
    expect(await complete(good)).toMatchObject({ status: 200, data: { status: 0 } });
    expect(await complete(good)).toMatchObject({ status: 200, data: { status: 0 } });
    const page = await (await fetch(`${running.url}/sandbox/payments?depositId=${depositId}`)).text();
    expect(page).toContain('<dd>Dilnoza Karimova</dd>');
    expect(page).toContain('<dd>4711</dd>');
    expect(await person.balance()).toBe(0n);
  });

  test('[LIST-6] the newest credited deposit is named on the list of its own user alone, without an amount that was open', async () => {
    const person = await Person.with(running, intents.redirect);
    const { country, currency } = intents.redirect;
    const last = async (of: Person, call: 'methods-payment-v5' | 'methods-withdrawal' = 'methods-payment-v5') =>
      ((await of.call(call, { country, currency })).data as MethodList).lastDeposit;
    const pay = async (payer: Person, more: object = {}) => {
      const depositId = randomUUID();
      await payer.create(depositId, more);
      expect(await atProvider(running, depositId, 'pay')).toBe(303);
      await payer.becomes(depositId, { status: 1 });
    };
    expect(await last(person)).toBeUndefined();
    await pay(person);
    // Neither an open deposit nor another user's deposit counts as the last deposit.
    await person.create(randomUUID(), { amount: '40.00' });
    expect(await last(person)).toEqual({ paymentMethod: 'card', currency: 'USD', amount: '25.00' });
    expect(await last(await Person.with(running, intents.redirect))).toBeUndefined();
    expect(await last(person, 'methods-withdrawal')).toBeUndefined();
    await pay(person, { amount: '30.00' });
    expect(await last(person)).toMatchObject({ amount: '30.00' });
    const coins = await Person.with(running, intents.ton);
    await pay(coins);
    expect(await last(coins)).toEqual({ paymentMethod: 'usdt', currency: 'USD' });
  });

  test('[LIST-1] lists that are asked for at the same time each have the balance of their own user', async () => {
    const { country, currency } = intents.redirect;
    const people = await Promise.all([1, 2, 3].map(() => Person.with(running, intents.redirect)));
    for (const [index, person] of people.entries()) {
      const depositId = randomUUID();
      await person.create(depositId, { amount: `${10 * (index + 1)}.00` });
      expect(await atProvider(running, depositId, 'pay')).toBe(303);
      await person.becomes(depositId, { status: 1 });
    }
    const asked = [...people, ...people].map((person) => person.call('methods-payment-v5', { country, currency }));
    const lists = (await Promise.all(asked)).map(({ data }) => data as MethodList);
    const amounts = ['10.00', '20.00', '30.00'];
    expect(lists.map(({ balance }) => balance?.amount)).toEqual([...amounts, ...amounts]);
    expect(lists.map(({ lastDeposit }) => lastDeposit?.amount)).toEqual([...amounts, ...amounts]);
  });

  test('codes are those of the public standards, of this very payment', async () => {
    const pix = dataOf(await (await Person.with(running, intents.pix)).create()).qrCodeText ?? '';
    expect(pix).toContain('br.gov.bcb.pix');
    expect(pix).toContain('5406100.00');
    expect(crc16(pix.slice(0, -4))).toBe(pix.slice(-4));

    const upi = new URL(dataOf(await (await Person.with(running, intents.india)).create()).qrCodeText ?? '');
    expect([upi.protocol, upi.searchParams.get('am'), upi.searchParams.get('cu')]).toEqual(['upi:', '500.00', 'INR']);

    const epc = (dataOf(await (await Person.with(running, intents.sepa)).create()).qrCodeText ?? '').split('\n');
    expect(epc.slice(0, 4)).toEqual(['BCD', '002', '1', 'SCT']);
    expect([isIban(epc[6] ?? ''), epc[7]]).toEqual([true, 'EUR50.00']);
  });

  test('[CRY-5] a crypto deposit carries the address and the payment URI of its chain', async () => {
    const tron = dataOf(await (await Person.with(running, intents.tron)).create());
    expect(tron).toMatchObject({ cryptoName: 'USDT', network: 'trc20', minDepositValue: tron.processingAmount });
    expect(tron.qrCodeText).toBe(tron.depositAddress);
    const bitcoin = dataOf(await (await Person.with(running, intents.bitcoin)).create());
    expect(bitcoin.qrCodeText).toBe(`bitcoin:${bitcoin.depositAddress}?amount=0.01`);
    const ethereum = dataOf(await (await Person.with(running, intents.ethereum)).create());
    expect(ethereum.qrCodeText).toMatch(/^ethereum:0x\d{40}@\d+\/transfer\?address=0x\d{40}&uint256=50000000$/);
    expect(ethereum.qrCodeText).toContain(ethereum.depositAddress);
    const [ton, other] = [await Person.with(running, intents.ton), await Person.with(running, intents.ton)];
    const [mine, others] = [dataOf(await ton.create()), dataOf(await other.create())];
    expect(mine.depositAddress).toBe(others.depositAddress);
    expect(mine.depositMemo).toMatch(/^\d{12}$/);
    expect(mine.depositMemo).not.toBe(others.depositMemo);
    expect(mine.qrCodeText).toMatch(new RegExp(`^ton://transfer/${mine.depositAddress}\\?.*text=${mine.depositMemo}$`));
    expect(ethereum).toMatchObject({ payment_currency: 'USD', processingAmount: '50', processingCurrency: 'USDT' });
  });
});

describe('[DEP-15] a decline names what the payer can change', () => {
  test.each([
    ['25.16', 'insufficient-funds'],
    ['25.17', 'limit-exceeded'],
    ['25.18', 'card-expired'],
    ['25.19', 'wrong-details'],
    ['25.20', 'authentication-failed'],
    ['25.27', 'bank-refused'],
    ['25.28', undefined],
  ])('%s: %s', async (amount, declineCause) => {
    const person = await Person.with(running, intents.redirect);
    const depositId = randomUUID();
    await person.create(depositId, { amount });
    const report = await person.becomes(depositId, { status: 2, reason: 'transaction.reason.declined' });
    expect(report.declineCause).toBe(declineCause);
    expect(await person.balance()).toBe(0n);
  });

  test('at the create, and again when the same create is repeated', async () => {
    const person = await Person.with(running, intents.redirect);
    const depositId = randomUUID();
    const refused = { code: 'provider-error', params: { declineCause: 'insufficient-funds' } };
    for (const _try of [1, 2]) {
      expect((await person.create(depositId, { amount: '25.01' })).error).toMatchObject(refused);
    }
    await person.becomes(depositId, { status: 2, declineCause: 'insufficient-funds' });
  });
});

describe('crypto', () => {
  test('[CRY-2] blocks are counted by the server, and only the last one credits', async () => {
    const person = await Person.with(running, intents.tron);
    const depositId = randomUUID();
    await person.create(depositId);
    await atProvider(running, depositId, 'seen');
    const seen = await person.becomes(depositId, { status: 0, confirmations: 0, requiredConfirmations: 20 });
    expect(seen).toMatchObject({ blockchain: 'Tron', cryptoCurrency: 'USDT' });
    expect(seen.txid).toMatch(/^[0-9a-f]{64}$/);
    await atProvider(running, depositId, 'confirm', { blocks: '3' });
    await person.becomes(depositId, { status: 0, confirmations: 3 });
    await atProvider(running, depositId, 'confirm', { blocks: '16' });
    await person.becomes(depositId, { status: 0, confirmations: 19 });
    expect(await person.balance()).toBe(0n);
    await atProvider(running, depositId, 'confirm');
    await person.becomes(depositId, { status: 1, confirmations: 20, finalAmount: '50.00000000' });
    expect(await person.balance()).toBe(5_000_000_000n);
  });

  test('[CRY-1] as much as really came is credited, and shown before it is final', async () => {
    const person = await Person.with(running, intents.tron);
    const depositId = randomUUID();
    await person.create(depositId);
    await atProvider(running, depositId, 'seen', { amount: '125' });
    const seen = await person.becomes(depositId, { status: 0, receivedAmount: '125.00000000' });
    expect(seen.finalAmount).toBeUndefined();
    expect(await person.balance()).toBe(0n);
    await atProvider(running, depositId, 'confirm', { blocks: '20' });
    await person.becomes(depositId, { status: 1, receivedAmount: '125.00000000', finalAmount: '125.00000000' });
    expect(await person.balance()).toBe(12_500_000_000n);

    const other = await Person.with(running, intents.tron);
    const otherId = randomUUID();
    await other.create(otherId);
    expect(await atProvider(running, otherId, 'pay-more', { amount: '50' })).toBe(422);
    await atProvider(running, otherId, 'pay-more', { amount: '50.00000001' });
    await other.becomes(otherId, { status: 1, finalAmount: '50.00000001' });
    expect(await auditLedger(running.database)).toMatchObject({ isSound: true });
  });

  test('[CRY-1] [SRV-3] no client makes an amount open, and more than a fixed amount is reviewed by staff', async () => {
    const person = await Person.with(running, intents.redirect);
    const depositId = randomUUID();
    expect((await person.create(depositId, { isOpenAmount: true })).error).toMatchObject({ code: 'invalid-request' });
    await person.create(depositId);
    await atProvider(running, depositId, 'pay-more', { amount: '26' });
    await person.becomes(depositId, { status: 3, reason: 'transaction.reason.overpaid' });
    expect(await person.balance()).toBe(0n);
  });

  test('[CRY-1] too small a transfer is reviewed by staff, not credited and not lost', async () => {
    const person = await Person.with(running, intents.tron);
    const depositId = randomUUID();
    await person.create(depositId);
    expect(await atProvider(running, depositId, 'pay-less', { amount: '50' })).toBe(422);
    await atProvider(running, depositId, 'pay-less', { amount: '3' });
    await person.becomes(depositId, {
      status: 3,
      reason: 'transaction.reason.below-minimum',
      receivedAmount: '3.00000000',
    });
    expect(await person.balance()).toBe(0n);
    expect(await auditLedger(running.database)).toMatchObject({ isSound: true });
  });

  test('[CRY-1] a further transfer to the address is a separate payment with its own reversal; an absurdly large one is reviewed', async () => {
    const person = await Person.with(running, intents.tron);
    const depositId = randomUUID();
    await person.create(depositId);
    await atProvider(running, depositId, 'pay');
    await person.becomes(depositId, { status: 1, finalAmount: '50.00000000' });
    await atProvider(running, depositId, 'pay-again', { amount: '20' });
    await vi.waitFor(async () => expect(await person.balance()).toBe(7_000_000_000n), { timeout: 20_000 });
    expect(await person.status(depositId)).toMatchObject({ status: 1, finalAmount: '50.00000000' });
    await atProvider(running, depositId, 'take-back');
    await vi.waitFor(async () => expect(await person.balance()).toBe(5_000_000_000n), { timeout: 20_000 });
    expect(await person.status(depositId)).toMatchObject({ status: 1, finalAmount: '50.00000000' });

    const other = await Person.with(running, intents.tron);
    const absurd = randomUUID();
    await other.create(absurd);
    await atProvider(running, absurd, 'pay-more', { amount: '100001' });
    await other.becomes(absurd, { status: 3, reason: 'transaction.reason.above-maximum' });
    expect(await other.balance()).toBe(0n);
    expect(await auditLedger(running.database)).toMatchObject({ isSound: true });
  });

  test('money after the expiry is late', async () => {
    const person = await Person.with(running, intents.tron);
    const depositId = randomUUID();
    await person.create(depositId);
    await atProvider(running, depositId, 'pay-late');
    await person.becomes(depositId, { status: 2 });
    await person.becomes(depositId, { status: 3, isLate: true });
    expect(await person.balance()).toBe(0n);
  });
});

describe('on-ramp', () => {
  test('[DEP-14] offers are compared, an offer leads to the seller, a gone one to an error', async () => {
    const person = await Person.with(running, intents.onramp);
    const depositId = randomUUID();
    const { paymentMethodOffers } = dataOf(await person.create(depositId));
    expect(paymentMethodOffers).toContainEqual({ method: 'bank', amount: '49.4', fee: '0.60', iconIds: ['bank'] });
    const goOn = (method: string) => person.call('external-deposit-continue', { depositId, method });
    expect((await goOn('card')).data).toEqual({ redirect: expect.stringContaining('/sandbox/pay/sbx_') });
    // This seller needs a posted form. The cashier's own page posts it.
    expect((await goOn('bank')).data).toEqual({ redirect: expect.stringMatching(/\/bounce\/[\w-]{43}$/) });
    expect((await goOn('nobody')).data).toEqual({ error: 'offer-unknown' });
    const stranger = await Person.with(running, intents.onramp);
    expect(await stranger.call('external-deposit-continue', { depositId })).toMatchObject({
      error: { code: 'not-found' },
    });
    await atProvider(running, depositId, 'expire');
    await person.becomes(depositId, { status: 2 });
    expect(await goOn('bank')).toMatchObject({ error: { code: 'state-conflict' } });
  });
});

describe('answers of a broken or hostile provider', () => {
  test.each(['unified', 'india', 'cash', 'hostToHost', 'pix', 'onramp'] as const)('%s', async (name) => {
    const intent = intents[name];
    const step = async (ending: string) => {
      const person = await Person.with(running, { ...intent, amount: `${intent.amount}.${ending}` });
      const created = await person.create();
      expect(created.status, JSON.stringify(created.error)).toBe(200);
      return { step: nextStep(created.data as DepositResponse), text: JSON.stringify(created.data) };
    };
    expect((await step('23')).step).toMatchObject({ kind: 'failure', reason: 'data-null' });
    expect((await step('25')).text).toContain('javascript:');
    expect((await step('24')).text).toContain('nowhere.invalid');
    if (name !== 'onramp') expect((await step('26')).text).toContain('onerror=');
  });

  test('a redirect to script is refused by the rule of links', async () => {
    const person = await Person.with(running, { ...intents.redirect, amount: '25.25' });
    const created = await person.create();
    expect(nextStep(created.data as DepositResponse)).toMatchObject({ kind: 'failure', reason: 'unsafe-link' });
  });
});

describe('the control page', () => {
  test('takes no form of another site, nothing that cannot happen, and shows the state', async () => {
    const person = await Person.with(running, intents.hostToHost);
    const depositId = randomUUID();
    await person.create(depositId);
    expect(await atProvider(running, depositId, 'confirm')).toBe(303);
    expect(await atProvider(running, depositId, 'nonsense')).toBe(400);
    const found = await fetch(`${running.url}/sandbox/payments?depositId=${depositId}`, { redirect: 'manual' });
    const address = `${running.url}${found.headers.get('location')}`;
    const forged = await fetch(address, { method: 'POST', body: new URLSearchParams({ action: 'pay', token: 'x' }) });
    expect(forged.status).toBe(403);
    expect(await (await fetch(address)).text()).toContain('data-state="open"');
    expect((await fetch(address)).headers.get('content-security-policy')).toContain("default-src 'none'");
    await atProvider(running, depositId, 'never-answer');
    expect(await (await fetch(address)).text()).toContain('Silent');
    expect(await person.status(depositId)).toMatchObject({ status: 0 });
  });
});
