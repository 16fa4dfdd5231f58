/** Balances in crypto besides fiat, through the whole server: deposit, rate, withdrawal, ledger (CRY-3). */
import { randomUUID } from 'node:crypto';
import { type Balance, balancesGet, type MethodList, type ResponseOf } from '@opencashier/contract/api';
import { describe, expect, test, vi } from 'vitest';
import { accountBalance } from '../ledger/ledger.ts';
import { atProvider, intents, Person } from '../transports/testing/person.ts';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { withApp } from '../transports/testing/with-app.fixture.ts';

type Balances = ResponseOf<typeof balancesGet>;

let running: RunningApp;
withApp(
  (app) => {
    running = app;
  },
  { RATE_STALE_AFTER: '120' },
);

/** A user with an account in dollars who buys USDT. */
async function dollarPerson(): Promise<Person> {
  const person = await Person.with(running, intents.tron);
  person.token = await running.tokenOf(person.userId, { currency: 'USD', country: 'IN' });
  return person;
}

async function setRates(fields: Record<string, string>): Promise<void> {
  const address = `${running.url}/sandbox/rates`;
  const token = /name="token" value="([0-9a-f]+)"/.exec(await (await fetch(address)).text())?.[1] ?? '';
  const body = new URLSearchParams({ token, ...fields });
  expect((await fetch(address, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
}

const read = async (person: Person, request: object = {}): Promise<Balances> =>
  (await person.call('balances-get', request)).data as Balances;
const of = ({ balances }: Balances, code: string): Balance | undefined =>
  balances.find(({ currency }) => currency === code);

async function payIn(person: Person, minor: string): Promise<void> {
  const depositId = randomUUID();
  const created = await person.create(depositId);
  expect(created.status, JSON.stringify(created.error)).toBe(200);
  expect(await atProvider(running, depositId, 'pay-more', { amount: minor })).toBe(303);
  await person.becomes(depositId, { status: 1 });
}

describe('[CRY-3] balances', () => {
  test('begin with the account’s own currency, then the country’s, each with its kind and nothing in it', async () => {
    const person = await dollarPerson();
    const { currency, balances } = await read(person);
    expect(currency).toBe('USD');
    expect(balances.map((one) => one.currency)).toEqual([
      'USD',
      'INR',
      'EUR',
      'USDT',
      'BTC',
      'ETH',
      'LTC',
      'DOGE',
      'BNB',
      'TRX',
      'TON',
      'USDC',
    ]);
    expect(balances[0]).toEqual({ currency: 'USD', kind: 'fiat', balance: '0.00' });
    expect(of({ currency, balances }, 'BTC')).toMatchObject({ kind: 'crypto', balance: '0.00000000' });
    expect((await read(person, { country: 'BR' })).balances.map((one) => one.currency).slice(0, 3)).toEqual([
      'USD',
      'BRL',
      'USDT',
    ]);
    // For an unknown country the list has only the default currencies.
    expect((await read(person, { country: 'ZZ' })).balances.map((one) => one.currency)).toEqual(['USD', 'USDT']);
  });

  test('are the same over both transports', async () => {
    const person = await dollarPerson();
    const answers = await Promise.all(
      (['http', 'socket'] as const).map((name) =>
        running.clients[name].call(balancesGet, { currency: 'EUR' }, { token: person.token }),
      ),
    );
    const [overHttp, overSocket] = answers.map(({ data }) => data as Balances);
    expect(overHttp?.balances.map(({ currency }) => currency)).toEqual(
      overSocket?.balances.map(({ currency }) => currency),
    );
    expect([overHttp?.currency, overSocket?.currency]).toEqual(['EUR', 'EUR']);
  });

  test('are valued in the money of a state, and in no coin', async () => {
    const person = await dollarPerson();
    const refused = await person.call('balances-get', { currency: 'BTC' });
    expect(refused).toMatchObject({ status: 400, error: { code: 'invalid-request', fields: [{ path: 'currency' }] } });
    expect(await person.call('balances-get', { currency: 'XXQ' })).toMatchObject({ status: 400 });
  });
});

describe('[CRY-3] coins', () => {
  test('that come are the coin’s account to the last unit, with their value at the rate; dollars stay as they are', async () => {
    const person = await dollarPerson();
    await payIn(person, '61.00000007');
    const balances = await read(person);
    expect(of(balances, 'USDT')).toMatchObject({
      balance: '61.00000007',
      fiatValue: { amount: '61.00', currency: 'USD', isStale: false, freshForSeconds: 120 },
    });
    expect(of(balances, 'USD')?.balance).toBe('0.00');
    // 48.800000056 at the rate of 0.8.
    expect(of(await read(person, { currency: 'EUR' }), 'USDT')?.fiatValue?.amount).toBe('48.80');
    const list = (await person.call('methods-payment-v5', { country: 'IN', currency: 'USDT' })).data as MethodList;
    expect(list.balance).toEqual({ currency: 'USDT', amount: '61.00000007' });
    expect(list.methods.length).toBeGreaterThan(0);
    expect(new Set(list.methods.map(({ category }) => category))).toEqual(new Set(['crypto']));
  });

  test('that leave are taken from the coin’s account to the last unit; an address of another network is refused', async () => {
    const person = await dollarPerson();
    await payIn(person, '61.00000007');
    const withdrawalId = randomUUID();
    const intent = (wallet: string) => ({
      withdrawalId,
      amount: '50.00000006',
      currency: 'USDT',
      paymentMethod: 'usdt_trc20_withdrawal',
      fields: { wallet },
    });
    const wrong = await person.call('withdrawal-create', intent(`0x${'52908400098527886E0F7030069857D2E4169EE7'}`));
    expect(wrong.error?.code).toBe('banking.paymentMethodRegex');
    expect(of(await read(person), 'USDT')?.balance).toBe('61.00000007');
    const made = await person.call('withdrawal-create', intent('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'));
    expect(made.status, JSON.stringify(made.error)).toBe(200);
    expect(of(await read(person), 'USDT')?.balance).toBe('11.00000001');
    await person.call('withdrawal-confirm', { withdrawalId });
    await vi.waitFor(
      async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject({ status: 1 }),
      { timeout: 30_000, interval: 100 },
    );
    expect(of(await read(person), 'USDT')?.balance).toBe('11.00000001');
    const account = (kind: 'user' | 'user_hold') =>
      accountBalance(running.database, 'demo', { owner: person.userId, asset: 'USDT', kind });
    expect([await account('user'), await account('user_hold')]).toEqual([1_100_000_001n, 0n]);
    expect(of(await read(person), 'USD')?.balance).toBe('0.00');
  });

  test('whose rate is old say so with its time, and whose rate nobody knows are worth nothing that is named', async () => {
    const person = await dollarPerson();
    await setRates({ mood: 'stopped', age: '60' });
    expect(of(await read(person), 'BTC')?.fiatValue).toMatchObject({ isStale: false });
    const before = Date.now();
    await setRates({ mood: 'stopped', age: '600' });
    const stale = of(await read(person), 'BTC')?.fiatValue;
    expect(stale).toMatchObject({ amount: '0.00', isStale: true, freshForSeconds: 0 });
    expect(Math.abs(Date.parse(stale?.rateAt ?? '') - (before - 600_000))).toBeLessThan(60_000);
    await setRates({ mood: 'down' });
    expect(of(await read(person), 'BTC')).toEqual({ currency: 'BTC', kind: 'crypto', balance: '0.00000000' });
    await setRates({ mood: 'fresh' });
  });
});
