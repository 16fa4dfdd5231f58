/** The set-up of payment tests, and queries about their results. */

import { type WebhookType, webhookSchemaOf } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { auditLedger } from '../../ledger/ledger-audit.ts';
import type { Caller } from '../../operators/caller.ts';
import type { PaymentsOptions } from '../../payment-ports/payments-core.ts';
import { ann, type Bench, commandOf, createBench, seedOperator } from './payments.fixture.ts';

export interface MadePayments {
  readonly database: Database;
  readonly bench: Bench;
}

export interface WithPaymentsOptions {
  /** True: the operator has a webhook address. No server listens there, so queued webhooks stay readable. */
  readonly hasWebhook?: true;
  /** Options of the payments of the next test. */
  readonly options?: () => Partial<PaymentsOptions>;
}

/**
 * Makes a database for the file with the operator `op`, and new payments before each test. At the end the ledger must
 * be sound, and every queued webhook must match the contract.
 * @param take receives both before the file's own `beforeEach`
 */
export function withPayments(
  take: (made: MadePayments) => void,
  { hasWebhook, options }: WithPaymentsOptions = {},
): void {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
    await seedOperator(opened.database, hasWebhook && { url: 'https://operator.example/hook', secrets: [] });
  });
  beforeEach(() => {
    const { database } = opened;
    take({ database, bench: createBench(database, options?.()) });
  });
  afterAll(async () => {
    expect((await auditLedger(opened.database)).isSound).toBe(true);
    await expectWebhooksOfContract(opened.database);
    await opened.drop();
  });
}

/** Whatever the file's tests queued for an operator must be what the contract says of the event, with no field more (SRV-5). */
async function expectWebhooksOfContract(database: Database): Promise<void> {
  const queued = await database.query<{ type: string; text: string }>({
    text: `select type, body::text as text from webhook_delivery`,
  });
  for (const { type, text } of queued) {
    const body = JSON.parse(text) as { type: WebhookType };
    const parsed = v.safeParse(webhookSchemaOf(body.type), body);
    expect(parsed.issues, type).toBeUndefined();
    // The schema leaves out what it does not know.
    expect(parsed.output, type).toEqual(body);
  }
}

export interface OpenDeposit {
  readonly caller: Caller;
  readonly userId: string;
  readonly depositId: string;
}

let users = 0;

/** A user with one open deposit; by default a new user, and 500.00 INR. */
export async function openDepositOf(
  { payments }: Bench,
  request: Parameters<typeof commandOf>[0] = {},
  known?: Caller,
): Promise<OpenDeposit> {
  users += 1;
  const caller = known ?? { ...ann, userId: `user-${users}` };
  const command = commandOf(request, caller);
  await payments.createDeposit(command);
  return { caller, userId: caller.userId, depositId: command.request.depositId };
}

export async function depositStateOf(database: Database, depositId: string): Promise<string | undefined> {
  const [row] = await database.query<{ state: string }>({
    text: 'select state from deposit where id = $1',
    values: [depositId],
  });
  return row?.state;
}

/** The number of credits of a deposit. */
export async function creditsOf(database: Database, depositId: string): Promise<number> {
  const rows = await database.query({
    text: `select 1 from journal where deposit_id = $1 and kind = 'deposit_credit'`,
    values: [depositId],
  });
  return rows.length;
}

/** The error code and details of a call; code `ok` when it succeeds. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ code: string; params?: Readonly<Record<string, string>>; fields?: object }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, ...error.details };
    throw error;
  }
  return { code: 'ok' };
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await failureOf(work)).code;
}
