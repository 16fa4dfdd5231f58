/** A cashier whose operator pays out by SEPA transfers from a bank account of its own. */
import { randomUUID } from 'node:crypto';
import type {
  BankMessageView,
  ConnectionView,
  PayoutFilePage,
  PayoutTransferPage,
} from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { accountBalance } from '../ledger/ledger.ts';
import { Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';
import type { Answer } from '../transports/testing/running-server.ts';
import { masterKey } from './connected-operator.fixture.ts';

export const PAYEE = { iban: 'DE02 1203 0000 0000 2020 51', fullName: 'Zoë Müller' };
const soon = { timeout: 30_000, interval: 50 };

type Asked = { readonly status: number; readonly body: unknown };

/** Starts a cashier for the file's tests, and stops it after them. @param take receives it before the file's own `beforeAll` */
export function withSepaOperator(take: (operator: SepaOperator) => void): void {
  let running: RunningApp | undefined;
  beforeAll(async () => {
    running = await startApp({ MASTER_KEY: masterKey('2026-01') });
    take(await SepaOperator.at(running));
  });
  afterAll(() => running?.stop());
}

export class SepaOperator {
  readonly running: RunningApp;
  readonly connection: ConnectionView;
  readonly #key: string;

  private constructor(running: RunningApp, connection: ConnectionView, key: string) {
    this.running = running;
    this.connection = connection;
    this.#key = key;
  }

  /**
   * Makes the connection, and lets the method pay by it.
   * @param key the secret key of the operator
   */
  static async at(
    running: RunningApp,
    options: Readonly<Record<string, string>> = {},
    key = appOperatorKey,
  ): Promise<SepaOperator> {
    const made = await ask(running, key, 'POST', '/connections', {
      provider: 'sepa',
      name: `bank-${randomUUID().slice(0, 8)}`,
      mode: 'test',
      currencies: ['EUR'],
      secrets: { iban: 'DE89370400440532013000' },
      // The tests themselves make transfers due. The worker's own time must not come between two withdrawals of one file.
      options: { name: 'Example Casino', batchMinutes: '1440', ...options },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const operator = new SepaOperator(running, made.body as ConnectionView, key);
    const enabled = await operator.ask('PATCH', `/connections/${operator.connection.connectionId}`, {
      isEnabled: true,
    });
    expect(enabled.status, JSON.stringify(enabled.body)).toBe(200);
    const { version } = (await operator.ask('GET', '/catalogue')).body as { version: number };
    const set = await operator.ask('PUT', '/catalogue/methods/sepa_withdrawal', {
      version,
      staff: 'eve',
      provider: 'sepa',
    });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    return operator;
  }

  ask(method: string, path: string, body?: object): Promise<Asked> {
    return ask(this.running, this.#key, method, path, body);
  }

  /** A user with 1,000 euros. */
  async person(): Promise<Person> {
    const person = new Person(this.running, { method: 'sepa', amount: '50', currency: 'EUR', country: 'DE' });
    const user = { userId: person.userId, currency: 'EUR', country: 'DE' };
    person.token = ((await this.ask('POST', '/user-tokens', user)).body as { token: string }).token;
    const transfer = { transferId: randomUUID(), amount: '1000.00', currency: 'EUR', from: 'operator', to: 'main' };
    expect((await this.ask('POST', `/users/${person.userId}/transfers`, transfer)).status).toBe(200);
    return person;
  }

  /** @param more further parts of the request, such as its id */
  create(person: Person, amount: string, fields: object = PAYEE, more: object = {}): Promise<Answer> {
    const request = { withdrawalId: randomUUID(), amount, currency: 'EUR', paymentMethod: 'sepa_withdrawal', fields };
    return person.call('withdrawal-create', { ...request, ...more });
  }

  /** A confirmed withdrawal. The fee is 0.50. */
  async withdraw(person: Person, amount: string, fields: object = PAYEE): Promise<string> {
    const withdrawalId = randomUUID();
    const created = await this.create(person, amount, fields, { withdrawalId });
    expect(created.status, JSON.stringify(created)).toBe(200);
    const confirmed = await person.call('withdrawal-confirm', { withdrawalId });
    expect(confirmed.status, JSON.stringify(confirmed)).toBe(200);
    return withdrawalId;
  }

  /**
   * Lets the time of all queued transfers come, also of those that are queued meanwhile, and waits for their files.
   * @returns the newest files first
   */
  async files(): Promise<PayoutFilePage['files']> {
    const { database } = this.running;
    // Those that are due stay unlocked: the builder passes locked ones over, and would put them into another file.
    const makeDue = `update payout_transfer set due_at = now() where state = 'queued' and due_at > now()`;
    const queued = `select 1 from payout_transfer where state = 'queued'`;
    await vi.waitFor(async () => {
      await database.query({ text: makeDue });
      expect(await database.query({ text: queued })).toEqual([]);
    }, soon);
    return ((await this.ask('GET', '/payout-files')).body as PayoutFilePage).files;
  }

  /** A file with one transfer each of these amounts. */
  async fileOf(...amounts: readonly string[]) {
    const person = await this.person();
    const withdrawals: string[] = [];
    for (const amount of amounts) withdrawals.push(await this.withdraw(person, amount));
    const [file] = await this.files();
    if (file === undefined) throw new Error('There is no file');
    return { person, withdrawals, file, fileId: file.fileId };
  }

  async transfers(fileId: string): Promise<PayoutTransferPage['transfers']> {
    return ((await this.ask('GET', `/payout-transfers?fileId=${fileId}`)).body as PayoutTransferPage).transfers;
  }

  async stateOf(withdrawalId: string): Promise<string | undefined> {
    const { transfers } = (await this.ask('GET', '/payout-transfers?limit=200')).body as PayoutTransferPage;
    return transfers.find((one) => one.withdrawalId === withdrawalId)?.state;
  }

  async download(fileId: string, staff = 'ann'): Promise<string> {
    const answer = await this.ask('POST', `/payout-files/${fileId}/download`, { staff });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { content: string }).content;
  }

  handOver(fileId: string, staff = 'bob'): Promise<Asked> {
    return this.ask('POST', `/payout-files/${fileId}/hand-over`, { staff });
  }

  send(xml: string, name = 'answer.xml'): Promise<Asked> {
    const content = Buffer.from(xml).toString('base64');
    return this.ask('POST', '/bank-messages', { name, content, staff: 'ann' });
  }

  async import(xml: string): Promise<BankMessageView> {
    const answer = await this.send(xml);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as BankMessageView;
  }

  async becomes(person: Person, withdrawalId: string, expected: object): Promise<void> {
    await vi.waitFor(
      async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject(expected),
      soon,
    );
  }

  /** What is held of a user, in cents. */
  held(person: Person): Promise<bigint> {
    return accountBalance(this.running.database, 'demo', { owner: person.userId, asset: 'EUR', kind: 'user_hold' });
  }
}

async function ask({ url }: RunningApp, key: string, method: string, path: string, body?: object): Promise<Asked> {
  const response = await fetch(`${url}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
