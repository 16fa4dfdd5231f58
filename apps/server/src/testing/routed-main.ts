/**
 * The cashier of the fault test of routes: the real life of deposits on a real database, whose providers are companies of its parent
 * process. The parent kills it at any moment. It is built into a folder of its own (`vite.faults.config.ts`) and is in no released build.
 */
import { isDeepStrictEqual } from 'node:util';
import { replay } from '@opencashier/core/routing/decide';
import type { Route } from '@opencashier/core/routing/route';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import type { CompanyAnswer, FromCashier, ToCashier } from '../../../../e2e/faults/routed-messages.ts';
import { openDatabase } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { auditLedger, inAuditSnapshot } from '../ledger/ledger-audit.ts';
import { ann, commandOf, createBench, createFakeProvider, seedOperator } from '../payments/testing/payments.fixture.ts';
import type { ProviderCreateResult } from '../providers/provider.ts';
import { shareHealths } from '../routing/account-healths.ts';
import { readDecision, type StoredDecision } from '../routing/decision-store.ts';
import { followRoutes } from '../routing/followed-routes.ts';
import { createPaymentRoutes } from '../routing/payment-routes.ts';
import { readRoutesOf } from '../routing/policy-store.ts';

if (process.send === undefined) throw new Error('This server is started by its test alone.');
const databaseUrl = process.env['DATABASE_URL'];
const companies = (process.env['COMPANIES'] ?? '').split(',');
/** Time limits are this many times shorter than in production, so that a company that never answers does not hold the test up. */
const FASTER = 10;
/** The pauses of idle workers are shorter than this, and stay as they are: ten times as many looks would only cost time. */
const SHORTEST_LIMIT_MS = 2_000;

const tell = (message: FromCashier): void => {
  process.send?.(message);
};
const clock: Clock = {
  now: systemClock.now,
  setTimer: (run, delayMs) => systemClock.setTimer(run, delayMs < SHORTEST_LIMIT_MS ? delayMs : delayMs / FASTER),
  setRepeating: (run, everyMs) => systemClock.setRepeating(run, everyMs / FASTER),
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let asks = 0;
const waiting = new Map<number, (answer: CompanyAnswer) => void>();
function ask(company: string, call: 'create' | 'inquire', id: string, amount = ''): Promise<CompanyAnswer> {
  asks += 1;
  const n = asks;
  return new Promise((resolve) => {
    waiting.set(n, resolve);
    tell({ kind: 'ask', n, company, call, id, amount });
  });
}

function reportOf(provider: string, depositId: string, providerRef: string, amount: string) {
  const paid = { outcome: 'paid', paidMinor: amount, currency: 'INR' } as const;
  return { provider, providerRef, depositId, eventId: `paid-${providerRef}`, at: '2026-01-01T00:00:00.000Z', ...paid };
}

const providers = companies.map((name) => {
  const provider = createFakeProvider(name);
  provider.onCreate = async ({ depositId, amountMinor }): Promise<ProviderCreateResult> => {
    const answer = await ask(name, 'create', depositId, String(amountMinor));
    // The book of calls of a stand-in would grow for ever.
    provider.creates.length = 0;
    if (answer.kind === 'created') return { kind: 'created', providerRef: answer.ref };
    if (answer.kind === 'failed' || answer.kind === 'declined') return { kind: answer.kind, code: 'unavailable' };
    throw new Error('the line broke');
  };
  provider.onInquire = async ({ depositId }) => {
    const answer = await ask(name, 'inquire', depositId);
    if (answer.kind === 'nothing') return undefined;
    if (answer.kind !== 'paid') throw new Error('the line broke');
    const { paidMinor, ...rest } = reportOf(name, depositId, answer.ref, answer.amount);
    return { ...rest, paidMinor: BigInt(paidMinor) };
  };
  return provider;
});

/** How many decisions are read at a time. */
const PAGE = 1_000;

/** Decides again from every stored decision. */
async function replayAll(database: Database): Promise<{ readonly replayed: string[]; readonly faults: string[] }> {
  const replayed: string[] = [];
  const faults: string[] = [];
  const routes = new Map<number, readonly Route[] | undefined>();
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await database.query<{ id: string; version: number; decision: StoredDecision }>({
      text: `select deposit_id as id, policy_version as version, decision from routing_decision
        where operator_id = 'op' and deposit_id > $1 order by deposit_id limit $2`,
      values: [after, PAGE],
    });
    for (const { id, version, decision } of page) {
      if (!routes.has(version)) routes.set(version, await readRoutesOf(database, 'op', version));
      const route = routes.get(version)?.find(({ method }) => method === decision.inputs.payment.method);
      if (route === undefined) faults.push(`no route of ${id}`);
      else if (!isDeepStrictEqual(replay({ ...decision, inputs: { ...decision.inputs, route } }).order, decision.order))
        faults.push(`another decision of ${id}`);
      else replayed.push(id);
    }
    const last = page.at(-1);
    if (last === undefined) return { replayed, faults };
    // As `opencashier routes replay` reads it.
    const kept = await readDecision(database, 'op', last.id);
    if (!isDeepStrictEqual(kept?.decision.order, last.decision.order)) faults.push(`the decision read of ${last.id}`);
    after = last.id;
  }
}

async function start() {
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is missing');
  const database = await openDatabase({ databaseUrl, dataDir: '', logger: silent });
  await seedOperator(database);
  const onError = (error: unknown): void => console.error(error);
  const routes = createPaymentRoutes({
    followed: await followRoutes(database, clock, onError),
    healths: await shareHealths({ database, clock, onError, onChange: () => undefined }),
    clock,
    mode: 'test',
    connectionsOf: () => [],
    hasInstallation: (provider) => companies.includes(provider),
    opensConnection: () => false,
    paysOut: () => false,
  });
  const { payments } = createBench(database, {
    clock,
    routes,
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    logger: silent,
    pusher: { push: () => undefined },
  });
  payments.startWorkers();
  const create = async ({ id, userId, amount }: Extract<ToCashier, { kind: 'create' }>): Promise<void> => {
    const command = commandOf({ depositId: id, amount }, { ...ann, userId });
    const code = await payments.createDeposit(command).then(
      () => 'ok',
      (error: unknown) => (error instanceof DomainError ? error.code : 'internal'),
    );
    tell({ kind: 'created', id, code });
  };
  const receive = async ({ n, company, id, ref, amount }: Extract<ToCashier, { kind: 'callback' }>): Promise<void> => {
    const rawBody = new TextEncoder().encode(JSON.stringify(reportOf(company, id, ref, amount)));
    const headers = { 'x-signature': 'good', 'x-id': `${ref}` };
    const receipt = await payments.receiveCallback(company, { headers, rawBody, receivedAt: Date.now() }).then(
      ({ kind }) => kind,
      (error: unknown) => String(error),
    );
    tell({ kind: 'received', n, receipt });
  };
  const audit = async (): Promise<void> => {
    const {
      faults: broken,
      unbalancedAssets,
      wrongBalances,
      uncreditedDeposits,
    } = await inAuditSnapshot(database, auditLedger);
    const faults = [
      ...broken.map(({ rule, subject }) => `${rule} ${subject}`),
      ...unbalancedAssets.map(({ asset, sum }) => `the postings of ${asset} sum to ${sum}`),
      ...wrongBalances.map(({ accountId }) => `the balance of account ${accountId}`),
      ...uncreditedDeposits.map((id) => `the credit of deposit ${id}`),
    ];
    const decisions = await replayAll(database);
    tell({ kind: 'audited', faults: [...faults, ...decisions.faults], replayed: decisions.replayed });
  };
  process.on('message', (message: ToCashier) => {
    if (message.kind === 'create') void create(message);
    else if (message.kind === 'callback') void receive(message);
    else if (message.kind === 'audit') void audit();
    else if (message.kind === 'answer') {
      waiting.get(message.n)?.(message.answer);
      waiting.delete(message.n);
    }
  });
  tell({ kind: 'ready' });
}

// The parent process has ended, so nobody else can end this one.
process.on('disconnect', () => process.exit(0));
// Waits here with all modules loaded, so that it starts quickly when the process before it dies.
process.once('message', () => {
  start().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
