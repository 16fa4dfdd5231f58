/** A person who deposits through the whole server, and the sandbox's control page, which changes the payment. */
import { randomUUID } from 'node:crypto';
import { calls, type DepositData, type DepositResponse, type Transaction } from '@opencashier/contract/api';
import { expect, vi } from 'vitest';
import { accountBalance } from '../../ledger/ledger.ts';
import type { RunningApp } from './running-app.ts';
import type { Answer } from './running-server.ts';

export interface Intent {
  readonly method: string;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly fields?: Record<string, string>;
}

/** A person with an account in the intent's currency. */
export class Person {
  readonly userId = `user-${randomUUID()}`;
  readonly running: RunningApp;
  readonly intent: Intent;
  token = '';

  constructor(running: RunningApp, intent: Intent) {
    this.running = running;
    this.intent = intent;
  }

  static async with(running: RunningApp, intent: Intent): Promise<Person> {
    const person = new Person(running, intent);
    person.token = await running.tokenOf(person.userId, { currency: intent.currency, country: intent.country });
    return person;
  }

  call(name: keyof typeof calls, request: unknown): Promise<Answer> {
    return this.running.clients.http.call(calls[name], request, { token: this.token });
  }

  create(depositId: string = randomUUID(), more: object = {}): Promise<Answer> {
    const { method, amount, currency, country, fields = {} } = this.intent;
    const request = { amount, currency, depositId, fields, selectedCountry: country, ...more };
    return this.call('deposit-create', { ...request, paymentType: method });
  }

  createP2p(depositId: string = randomUUID(), more: object = {}): Promise<Answer> {
    const { method, amount, currency, country, fields = {} } = this.intent;
    const request = { amount, currency, depositId, fields, selectedCountry: country, ...more };
    return this.call('deposit-create-p2p', { ...request, paymentMethod: method });
  }

  async status(depositId: string): Promise<Transaction> {
    const paymentMethod = this.intent.method;
    return (await this.call('deposit-status', { depositId, paymentMethod })).data as Transaction;
  }

  async becomes(depositId: string, expected: object): Promise<Transaction> {
    await vi.waitFor(async () => expect(await this.status(depositId)).toMatchObject(expected), {
      timeout: 20_000,
      interval: 50,
    });
    return this.status(depositId);
  }

  /** As {@link becomes}, by what the reconciler finds at the provider. */
  async becomesByInquiry(depositId: string, expected: object): Promise<void> {
    await untilFound(this.running, { table: 'deposit', id: depositId }, async () =>
      expect(await this.status(depositId)).toMatchObject(expected),
    );
  }

  balance(kind: 'user' | 'bonus' | 'suspense' = 'user'): Promise<bigint> {
    const owner = kind === 'suspense' ? '' : this.userId;
    return accountBalance(this.running.database, 'demo', { owner, asset: this.intent.currency, kind });
  }
}

/** Lets the reconciler ask the provider about a payment now, as it does later. Nobody else asks at this moment. */
export async function askProviderNow(
  { database }: RunningApp,
  { table, id }: { readonly table: 'deposit' | 'withdrawal'; readonly id: string },
): Promise<void> {
  await database.query({
    text: `update ${table} set check_at = now(), busy_until = null where id = $1 and check_at is not null`,
    values: [id],
  });
}

/**
 * Waits for what the reconciler finds at a payment's provider. It asks again in each round: a worker that stores an answer at the same
 * moment puts the next inquiry off.
 */
export async function untilFound(
  running: RunningApp,
  payment: Parameters<typeof askProviderNow>[1],
  check: () => Promise<void>,
): Promise<void> {
  await vi.waitFor(
    async () => {
      await askProviderNow(running, payment);
      await check();
    },
    { timeout: 20_000, interval: 200 },
  );
}

/**
 * Waits until every accepted callback is applied. A callback is answered before it is read. So a test must wait here before it checks
 * that a callback changed nothing.
 */
export async function callbacksAreApplied({ database }: RunningApp): Promise<void> {
  const waiting = `select source, message_id from inbox_queue where status = 'new'`;
  await vi.waitFor(async () => expect(await database.query({ text: waiting })).toEqual([]), {
    timeout: 20_000,
    interval: 50,
  });
}

/** Presses a button of the sandbox's control page of a deposit. */
export async function atProvider(
  running: RunningApp,
  depositId: string,
  action: string,
  more: Record<string, string> = {},
): Promise<number> {
  const found = await fetch(`${running.url}/sandbox/payments?depositId=${depositId}`, { redirect: 'manual' });
  expect(found.status).toBe(303);
  const address = `${running.url}${found.headers.get('location')}`;
  const page = await (await fetch(address)).text();
  const token = /name="token" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ token, action, ...more });
  return (await fetch(address, { method: 'POST', body, redirect: 'manual' })).status;
}

export const dataOf = (answer: Answer): DepositData => (answer.data as DepositResponse).apiResponse.data ?? {};

/** A method of each shape, and an amount to pay with it. */
export const intents = {
  redirect: { method: 'card', amount: '25.00', currency: 'USD', country: 'IN' },
  unified: { method: 'bank_transfer_kz', amount: '5000', currency: 'KZT', country: 'KZ' },
  unifiedInputs: { method: 'bank_transfer_uz', amount: '500000', currency: 'UZS', country: 'UZ' },
  unifiedImage: { method: 'bank_transfer_ng', amount: '5000', currency: 'NGN', country: 'NG' },
  eazype: { method: 'eazype_upi', amount: '500', currency: 'INR', country: 'IN' },
  pix: { method: 'pix', amount: '100', currency: 'BRL', country: 'BR', fields: { cpf: '123.456.789-09' } },
  india: { method: 'upi', amount: '500', currency: 'INR', country: 'IN' },
  p2p: { method: 'p2p_card_ru', amount: '5000', currency: 'RUB', country: 'RU' },
  receipt: { method: 'bkash_p2p', amount: '5000', currency: 'BDT', country: 'BD', fields: { wallet: '01700000001' } },
  hostToHost: { method: 'kaspi', amount: '5000', currency: 'KZT', country: 'KZ' },
  virtual: { method: 'nigerian_virtual_accounts', amount: '5000', currency: 'NGN', country: 'NG' },
  sepa: { method: 'sepa', amount: '50', currency: 'EUR', country: 'DE' },
  cash: { method: 'cash_agent_in', amount: '5000', currency: 'INR', country: 'IN' },
  till: { method: 'cash_oxxo', amount: '500', currency: 'MXN', country: 'MX' },
  onramp: { method: 'onramp_card', amount: '50', currency: 'USD', country: 'IN' },
  tron: { method: 'usdt', amount: '50', currency: 'USDT', country: 'IN', fields: { network: 'trc20' } },
  bitcoin: { method: 'btc', amount: '0.01', currency: 'BTC', country: 'IN' },
  ton: { method: 'usdt', amount: '50', currency: 'USD', country: 'IN', fields: { network: 'ton' } },
  ethereum: { method: 'usdt', amount: '50', currency: 'USD', country: 'IN', fields: { network: 'erc20' } },
} as const satisfies Record<string, Intent>;
