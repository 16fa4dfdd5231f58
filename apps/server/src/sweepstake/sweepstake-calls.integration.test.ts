/** The sweepstake through the whole server: seeded boxes, sandbox methods, and the API for the operator's backend. */
import { randomUUID } from 'node:crypto';
import type { MethodList, ResponseOf, sweepstakeBoxes } from '@opencashier/contract/api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { atProvider, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.stop());

const newPerson = () => Person.with(running, { method: 'card', amount: '1', currency: 'USD', country: 'IN' });

async function operator(method: string, path: string, body?: object): Promise<{ status: number; body: object }> {
  const response = await fetch(`${running.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as object };
}

const boxesFor = async (person: Person) =>
  ((await person.call('sweepstake-boxes', {})).data as ResponseOf<typeof sweepstakeBoxes>).boxes;

test('[SWP-1] boxes come in ordered groups with their remaining stock, including sold out boxes, never of other operators', async () => {
  const boxes = await boxesFor(await newPerson());
  expect(boxes.map(({ name, boxes: inside }) => [name, inside.map(({ boxId }) => boxId)])).toEqual([
    ['Packages', ['starter', 'popular', 'grand', 'royal']],
    ['Specials', ['limited', 'gone']],
  ]);
  expect(boxes[0]?.boxes[1]).toEqual({
    boxId: 'popular',
    price: '19.99',
    priceCurrencyCode: 'USD',
    currenciesList: [
      { currency: 'GC', main: '25000.00', free: '0' },
      { currency: 'SC', main: '0', free: '20.50' },
    ],
    position: 2,
    badge: 'popular',
  });
  expect(boxes[1]?.boxes.map(({ remaining }) => remaining)).toEqual([50, 0]);
});

test('[SWP-1] only methods that sell boxes are offered, at the price of the box', async () => {
  const person = await newPerson();
  const offered = async (boxId: string) => {
    const request = { country: 'IN', currency: 'USD', boxId };
    const list = (await person.call('methods-payment-v5', request)).data as MethodList;
    expect(list.groups.flatMap(({ paymentMethods }) => paymentMethods).sort()).toEqual(
      list.methods.map(({ name }) => name).sort(),
    );
    return list.methods.map(({ name }) => name);
  };
  const forExpensiveBox = await offered('grand');
  expect(forExpensiveBox).toEqual(expect.arrayContaining(['card', 'usdt', 'btc', 'eth', 'ltc']));
  expect(forExpensiveBox).not.toContain('onramp_card');
  expect(await offered('starter')).toEqual(['card']);
  expect(await offered('nothing')).toEqual([]);
  const flat = (await person.call('methods-payment-v3', { country: 'IN', currency: 'USD', boxId: 'starter' })).data;
  expect((flat as MethodList).groups).toMatchObject([{ name: 'all', paymentMethods: ['card'] }]);
});

test('[SWP-1] a box is paid on the provider’s page, and the user gets its coins', async () => {
  const person = await newPerson();
  const depositId = randomUUID();
  const request = {
    boxId: 'popular',
    boxPrice: '19.99',
    amount: '19.99',
    currency: 'USD',
    depositId,
    paymentType: 'card',
    selectedCountry: 'IN',
  };
  expect(await person.call('deposit-create-sweepstake', { ...request, boxPrice: '18.99' })).toMatchObject({
    status: 422,
    error: {
      code: 'box-changed',
      params: { price: '19.99', currency: 'USD', gcAmount: '25000.00', scAmount: '20.50' },
    },
  });
  const created = await person.call('deposit-create-sweepstake', request);
  expect(created).toMatchObject({ status: 200, data: { apiResponse: { depositId } } });
  expect(await person.call('deposit-create-sweepstake', request)).toEqual(created);
  expect(await person.call('sweepstake-balance-get', {})).toMatchObject({
    data: [
      { currency: 'GC', balance: '0.00' },
      { currency: 'SC', balance: '0.00' },
    ],
  });
  expect(await atProvider(running, depositId, 'pay')).toBe(303);
  await person.becomes(depositId, { status: 1, box: { boxId: 'popular', gcAmount: '25000.00', scAmount: '20.50' } });
  expect(await person.call('sweepstake-balance-get', {})).toMatchObject({
    data: [
      { currency: 'GC', balance: '25000.00' },
      { currency: 'SC', balance: '20.50' },
    ],
  });
  expect(await operator('GET', `/users/${person.userId}/balances`)).toMatchObject({
    status: 200,
    body: {
      balances: [
        { currency: 'GC', amount: '25000.00' },
        { currency: 'SC', amount: '20.50' },
      ],
    },
  });
});

test('[SWP-1] a wrong purchase is refused with its reason, and creates nothing', async () => {
  const person = await newPerson();
  const request = { amount: '19.99', currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
  const codeOf = async (more: object) =>
    (await person.call('deposit-create-sweepstake', { ...request, ...more })).error;
  expect(await codeOf({})).toMatchObject({
    code: 'invalid-request',
    message: 'No sweepstake box selected for sweepstake deposit',
    fields: [{ path: 'boxId' }],
  });
  expect(await codeOf({ boxId: 'gone' })).toMatchObject({ code: 'box-sold-out', params: { boxId: 'gone' } });
  expect(await codeOf({ boxId: 'none' })).toMatchObject({ code: 'not-found' });
  expect(await codeOf({ boxId: 'popular', paymentType: 'upi' })).toMatchObject({ code: 'method-unavailable' });
  const [row] = await running.database.query({
    text: 'select 1 from deposit where user_id = $1',
    values: [person.userId],
  });
  expect(row).toBeUndefined();
});

describe('[SWP-2] redemption', () => {
  test('converts played coins at the current rate, and pays to a wallet', async () => {
    const person = await newPerson();
    const grant = { grantId: randomUUID(), currency: 'SC', amount: '200.00', note: 'by post' };
    expect(await operator('POST', `/users/${person.userId}/coin-grants`, grant)).toEqual({
      status: 200,
      body: { currency: 'SC', balance: '200.00', unplayed: '200.00', redeemable: '0.00' },
    });
    expect(await person.call('sweepstake-recoup-sum', { currency: 'SC' })).toMatchObject({
      data: { data: { status: 'unplayed', amount: '200.00', redeemable: '0.00' } },
    });
    const list = (await person.call('methods-withdrawal-v4', { currency: 'SC' })).data as MethodList;
    expect(list.methods.map(({ name, payoutCurrency, network }) => `${name} ${payoutCurrency} ${network}`)).toEqual([
      'redeem_usdt_trc20 USDT trc20',
      'redeem_usdt_erc20 USDT erc20',
      'redeem_usdt_bep20 USDT bep20',
      'redeem_btc BTC bitcoin',
      'redeem_eth ETH ethereum',
      'redeem_ltc LTC litecoin',
    ]);
    const asked = { amount: '103.05', from: 'SC', to: 'BTC', paymentMethod: 'redeem_btc' };
    const converted = await person.call('payment-convert-v2', asked);
    expect(converted.data).toMatchObject({ amount: '0.00160080', fee: '3.00', rate: '0.000016', isStale: false });
    const { quote } = converted.data as { quote: string };
    const withdrawalId = randomUUID();
    const intent = {
      withdrawalId,
      amount: '103.05',
      currency: 'SC',
      paymentMethod: 'redeem_btc',
      fields: { wallet: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
      quote,
    };
    expect(await person.call('withdrawal-create', intent)).toMatchObject({
      error: { code: 'playthrough-required', params: { max: '0.00', unplayed: '200.00' } },
    });
    const play = { playId: randomUUID(), currency: 'SC', staked: '200.00', won: '190.00' };
    for (let n = 0; n < 2; n += 1) {
      expect(await operator('POST', `/users/${person.userId}/plays`, play)).toEqual({
        status: 200,
        body: { currency: 'SC', balance: '190.00', unplayed: '0.00', redeemable: '190.00' },
      });
    }
    expect(await person.call('withdrawal-create', { ...intent, quote: 'rubbish' })).toMatchObject({
      error: { code: 'rate-stale', params: { amount: '0.00160080', rate: '0.000016', currency: 'BTC' } },
    });
    expect(await person.call('withdrawal-create', intent)).toMatchObject({
      status: 200,
      data: { fee: '3.00', receives: '100.05', payout: { currency: 'BTC', amount: '0.00160080', rate: '0.000016' } },
    });
    expect(await person.call('withdrawal-confirm', { withdrawalId })).toMatchObject({ status: 200 });
    await vi.waitFor(
      async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject({ status: 1 }),
      { timeout: 20_000, interval: 100 },
    );
    expect(await person.call('sweepstake-balance-get', {})).toMatchObject({
      data: [{ currency: 'GC' }, { currency: 'SC', balance: '86.95' }],
    });
  });

  test('gold has no value, and money is converted without a quote', async () => {
    const person = await newPerson();
    const convert = (from: string, to: string, more = {}) =>
      person.call('payment-convert-v2', { amount: '10', from, to, ...more });
    expect(await convert('GC', 'USDT')).toMatchObject({ error: { code: 'not-found' } });
    expect(await convert('USD', 'SC')).toMatchObject({ error: { code: 'not-found' } });
    expect(await convert('SC', 'USD')).toMatchObject({ data: { amount: '10.00', rate: '1' } });
    const plain = await convert('USDT', 'USD');
    expect(plain).toMatchObject({ data: { amount: '10.00', isStale: false } });
    expect(plain.data).not.toHaveProperty('quote');
    expect(await convert('SC', 'BTC', { paymentMethod: 'redeem_eth' })).toMatchObject({
      error: { code: 'method-unavailable' },
    });
    expect(await person.call('payment-convert-v2', { amount: '0.001', from: 'SC', to: 'USD' })).toMatchObject({
      error: { code: 'invalid-request' },
    });
    expect(await person.call('sweepstake-recoup-sum', { currency: 'USD' })).toMatchObject({
      error: { code: 'invalid-request' },
    });
    expect(await person.call('sweepstake-recoup-sum', { currency: 'QSC' })).toMatchObject({
      data: { data: { status: 'played', amount: '0.00' } },
    });
  });
});

describe('[SWP-1] [SRV-1] the operator', () => {
  const terms = { price: '5.00', currency: 'USD', gold: '100', sweep: '1', stock: 1, group: 'Own' };

  test('puts a box on sale, changes the box, and cannot remove sold boxes', async () => {
    const path = '/sweepstake/boxes/own';
    expect(await operator('PUT', path, terms)).toEqual({
      status: 200,
      body: { ...terms, gold: '100.00', sweep: '1.00', boxId: 'own', position: 0, taken: 0 },
    });
    const person = await newPerson();
    const order = { boxId: 'own', amount: '5', currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
    expect((await person.call('deposit-create-sweepstake', order)).status).toBe(200);
    expect(await operator('PUT', path, { ...terms, stock: 0 })).toMatchObject({ status: 409 });
    expect(await operator('PUT', path, { ...terms, price: '6.00' })).toMatchObject({
      body: { price: '6.00', taken: 1 },
    });
    expect(await operator('GET', '/sweepstake/boxes')).toMatchObject({
      body: { boxes: expect.arrayContaining([expect.objectContaining({ boxId: 'own', taken: 1 })]) },
    });
    expect(
      await operator('PUT', path, {
        ...terms,
        staff: 'eve',
        availableUntil: new Date(Date.now() - 1_000).toISOString(),
      }),
    ).toMatchObject({ status: 200, body: expect.not.objectContaining({ staff: 'eve' }) });
    expect(await operator('GET', '/setting-changes?setting=box%20own&limit=2')).toMatchObject({
      body: { changes: [{ by: 'eve' }, { by: 'operator-api' }] },
    });
    expect((await boxesFor(person)).some(({ name }) => name === 'Own')).toBe(false);
  });

  test.each([
    ['no price', { ...terms, price: '0' }],
    ['a price with too many decimals', { ...terms, price: '5.001' }],
    ['a price in coins', { ...terms, currency: 'SC' }],
    ['no gold, which would be a sale of sweep coins', { ...terms, gold: '0' }],
    ['coins beyond the ledger', { ...terms, gold: '92233720368547758.08' }],
    ['a stock below zero', { ...terms, stock: -1 }],
    ['a field of no box', { ...terms, discount: '1' }],
  ])('cannot sell a box with %s', async (_, body) => {
    expect(await operator('PUT', '/sweepstake/boxes/bad', body)).toMatchObject({ status: 400 });
  });

  test.each([
    ['coin-grants', { grantId: 'a', currency: 'USD', amount: '1' }],
    ['coin-grants', { grantId: 'a', currency: 'SC', amount: '0' }],
    ['coin-grants', { grantId: 'a b', currency: 'SC', amount: '1' }],
    ['coin-grants', { grantId: 'a', currency: 'SC', amount: '1', note: '\u0000' }],
    ['plays', { playId: 'a', currency: 'SC', staked: '0', won: '1' }],
    ['plays', { playId: 'a', currency: 'SC', staked: '1' }],
    ['plays', { playId: 'a', currency: 'QSC', staked: '1', won: '1' }],
    ['transfers', { transferId: randomUUID(), currency: 'SC', amount: '1.00', from: 'main', to: 'additional' }],
  ])('gets an error for an invalid request: %s %j', async (what, body) => {
    expect(await operator('POST', `/users/somebody/${what}`, body)).toMatchObject({ status: 400 });
  });
});
