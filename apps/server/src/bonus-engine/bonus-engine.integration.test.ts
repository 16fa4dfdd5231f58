/** Deposits with bonuses of an operator's own engine, on the database. */
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, describe, expect, test } from 'vitest';
import { saveBonuses } from '../bonuses/bonus-store.ts';
import { type Bonuses, createBonuses } from '../bonuses/bonuses.ts';
import { engineViewOf } from '../bonuses/engine-problems.ts';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import type { Caller } from '../operators/caller.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { ann, type Bench, commandOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { setWalletMode } from '../wallet-calls/fake-wallet.fixture.ts';
import { createBonusEngines } from './create-engines.ts';
import {
  type EngineBehaviour,
  engineBonus,
  type FakeEngine,
  openFakeEngine,
  useEngine,
  withFakeEngine,
} from './fake-engine.fixture.ts';

let database: Database;
let engine: FakeEngine;
let node: Node;
let caller: Caller;

interface Node extends Pick<Bench, 'payments'> {
  readonly bonuses: Bonuses;
}

interface NodeOptions {
  readonly allowInsecure?: boolean;
  readonly clock?: Clock;
  readonly failpoint?: (name: Failpoint) => void;
}

/** A node that knows no answer of an engine yet. */
function startNode({ allowInsecure = true, clock = systemClock, failpoint }: NodeOptions = {}): Node {
  const ports = { database, clock, logger: { warn: () => undefined }, allowInsecure };
  const bonuses = createBonuses(database, () => undefined, createBonusEngines(ports));
  return { bonuses, ...createBench(database, { bonuses, ...(failpoint && { failpoint }) }) };
}

withPayments(
  (made) => {
    ({ database } = made);
  },
  { hasWebhook: true },
);
withFakeEngine((opened) => {
  engine = opened;
});
beforeEach(async () => {
  caller = { ...ann, userId: `user-${randomUUID()}` };
  await setWalletMode(database, 'cashier');
  await database.query({ text: 'delete from bonus_engine_problem' });
  await useEngine(database, engine.url);
  node = startNode();
});

const seen = async (userId = caller.userId, { bonuses }: Node = node) => {
  const offered = await bonuses.list({ operatorId: 'op', userId, currency: 'INR' });
  return [offered.source, ...offered.bonuses.map(({ id }) => id)];
};
const create = (bonusId: string, { payments }: Node = node, depositId: string = randomUUID()) =>
  payments.createDeposit(commandOf({ depositId, isActivatedBonus: true, bonusId }, caller));
const bonusOf = () => accountBalance(database, 'op', { owner: caller.userId, asset: 'INR', kind: 'bonus' });
const hooksOf = async (depositId: string) => {
  const rows = await database.query<{ body: string }>({
    text: 'select body::text as body from webhook_delivery where deposit_id = $1 order by id',
    values: [depositId],
  });
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
};
const setList = async (ids: readonly string[]) => {
  const [row] = await database.query<{ version: number }>({
    text: `select coalesce(max(version), 0) as version from bonus_settings where operator_id = 'op'`,
  });
  const change = { version: row?.version ?? 0, staff: 'sam', bonuses: ids.map((id) => engineBonus(id)) };
  expect(await saveBonuses(database, 'op', change)).toBe(true);
};

test('[BON-2] [BON-3] a deposit keeps the terms of its bonus after the engine has changed and ended it', async () => {
  engine.bonuses.set(caller.userId, [engineBonus('vip')]);
  expect(await seen()).toEqual(['engine', 'vip']);
  const depositId = randomUUID();
  await create('vip', node, depositId);
  engine.bonuses.set(caller.userId, [engineBonus('vip', 1)]);
  const later = startNode();
  expect(await seen(caller.userId, later)).toEqual(['engine', 'vip']);
  engine.bonuses.clear();
  await later.payments.apply(reportOf(depositId));
  expect(await bonusOf()).toBe(25_000n);
  // The engine hears of it by the webhook.
  expect(await hooksOf(depositId)).toMatchObject([
    { type: 'deposit.processed', data: { amount: '500.00', bonusId: 'vip', bonusAmount: '250.00' } },
  ]);
  await later.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  expect(await bonusOf()).toBe(0n);
  const [, reversed] = await hooksOf(depositId);
  expect(reversed).toMatchObject({ type: 'deposit.reversed', data: { bonusId: 'vip' } });
  expect(reversed?.data).not.toHaveProperty('bonusAmount');
});

test('[BON-2] free spins are announced by their number, and by zero below the minimum', async () => {
  const spins = { count: 20, minDeposit: '400', maxSpinWin: '10', payoutMultiplier: 1, wagerMultiplier: 1 };
  const { depositBonusData: _money, ...shared } = engineBonus('spins');
  engine.bonuses.set(caller.userId, [{ ...shared, type: 'freespin', freespinBonusData: spins }]);
  for (const [paidMinor, bonusSpins] of [
    [50_000n, 20],
    [39_999n, 0],
  ] as const) {
    const depositId = randomUUID();
    const command = commandOf({ depositId, paymentType: 'coin', isActivatedBonus: true, bonusId: 'spins' }, caller);
    await node.payments.createDeposit({ ...command, request: { ...command.request, amount: '100' } });
    await node.payments.apply(reportOf(depositId, { paidMinor }));
    expect((await hooksOf(depositId)).at(-1)?.data).toMatchObject({ bonusId: 'spins', bonusSpins });
  }
});

test('[BON-2] a bonus that the engine no longer offers is refused, and the key stays free', async () => {
  const depositId = randomUUID();
  expect(await codeOf(create('vip', node, depositId))).toBe('bonus-expired');
  const command = commandOf({ depositId }, caller);
  expect(await codeOf(node.payments.createDeposit(command))).toBe('ok');
});

test('[BON-2] a bonus that another node has shown is found, although this node has an answer without it', async () => {
  const clock = createTestClock();
  const knowing = startNode({ clock });
  expect(await seen(caller.userId, knowing)).toEqual(['engine']);
  engine.bonuses.set(caller.userId, [engineBonus('vip')]);
  expect(await seen(caller.userId, node)).toEqual(['engine', 'vip']);
  clock.advance(2_000);
  expect(await seen(caller.userId, knowing)).toEqual(['engine']);
  expect(await codeOf(create('vip', knowing))).toBe('ok');
});

describe('an engine that does not answer', () => {
  test.each<EngineBehaviour>(['broken', 'garbage', 'huge', 'other-user', 'drop', 'hang'])(
    '[SRV-2] that is %s breaks no list and no deposit: the operator’s own list counts, or none',
    async (behaviour) => {
      await setList(['own']);
      engine.behaviour = behaviour;
      expect(await seen()).toEqual(['fallback', 'own']);
      expect(await codeOf(create('own'))).toBe('ok');
      await useEngine(database, engine.url, { fallback: 'none' });
      expect(await seen()).toEqual(['fallback']);
      expect(await codeOf(create('own'))).toBe('bonus-expired');
      await setList([]);
    },
  );

  test('[SRV-2] leaves deposits without a bonus alone', async () => {
    engine.behaviour = 'hang';
    expect(await codeOf(node.payments.createDeposit(commandOf({}, caller)))).toBe('ok');
    expect(engine.questions).toEqual([]);
  });

  test('[SRV-2] is not asked while it is switched off, and at no private address outside the sandbox', async () => {
    await setList(['own']);
    expect(await seen(caller.userId, startNode({ allowInsecure: false }))).toEqual(['fallback', 'own']);
    await database.query({
      text: `update operator set settings = jsonb_set(settings, '{bonusEngine,isOn}', 'false') where id = 'op'`,
    });
    expect(await seen()).toEqual(['list', 'own']);
    expect(engine.questions).toEqual([]);
    await setList([]);
  });
});

test('[SRV-1] a wrong bonus is left out, and the operator reads why', async () => {
  engine.bonuses.set(caller.userId, [{ ...engineBonus('wrong'), title: {} }, engineBonus('right')]);
  expect(await seen()).toEqual(['engine', 'right']);
  await expect
    .poll(() => engineViewOf(database, 'op'))
    .toMatchObject({
      source: 'engine',
      problem: {
        why: 'bonuses were left out',
        userId: caller.userId,
        questionId: engine.questions[0]?.id,
        fields: [{ path: 'bonuses.0.title', message: expect.stringContaining('English') }],
      },
    });
  engine.behaviour = 'broken';
  await startNode().bonuses.list({ operatorId: 'op', userId: 'later' });
  expect((await engineViewOf(database, 'op')).problem?.userId).toBe(caller.userId);
});

test.each(['operator', 'pass-through'] as const)(
  '[SRV-2] in the mode %s the operator gives the bonus: the ledger books none, and the webhook says how much',
  async (mode) => {
    await setWalletMode(database, mode, 'http://127.0.0.1:9/wallet');
    await useEngine(database, engine.url);
    engine.bonuses.set(caller.userId, [engineBonus('vip')]);
    const depositId = randomUUID();
    await create('vip', node, depositId);
    await node.payments.apply(reportOf(depositId));
    expect(await bonusOf()).toBe(0n);
    expect(await hooksOf(depositId)).toMatchObject([{ data: { bonusId: 'vip', bonusAmount: '250.00' } }]);
  },
);

test('[SRV-2] an engine that hangs for one operator leaves the lists of another alone', async () => {
  await database.query({
    text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other') on conflict do nothing`,
  });
  const second = await openFakeEngine();
  await useEngine(database, second.url, { operatorId: 'other' });
  second.bonuses.set('ann', [engineBonus('mine')]);
  engine.behaviour = 'hang';
  const hangs = Array.from({ length: 80 }, (_, n) => seen(`user-${n}`));
  const offered = await node.bonuses.list({ operatorId: 'other', userId: 'ann', currency: 'INR' });
  expect([offered.source, ...offered.bonuses.map(({ id }) => id)]).toEqual(['engine', 'mine']);
  expect(await Promise.all(hangs)).toEqual(hangs.map(() => ['fallback']));
  await second.close();
});

class Crash extends Error {
  override readonly name = 'Crash';
}

test.each<Failpoint>(['before-insert', 'inserted', 'provider-answered', 'answer-stored', 'credit-uncommitted'])(
  '[SRV-2] [BON-2] a crash at %s neither loses the promised bonus nor gives it twice',
  async (step) => {
    let hasDied = false;
    const dying = startNode({
      failpoint(name) {
        if (name === step) hasDied = true;
        if (hasDied) throw new Crash(name);
      },
    });
    engine.bonuses.set(caller.userId, [engineBonus('vip')]);
    const depositId = randomUUID();
    const report = reportOf(depositId);
    const pay = async (on: Node): Promise<void> => {
      await create('vip', on, depositId);
      await on.payments.apply(report);
    };
    await pay(dying).catch((error: unknown) => error);
    expect(hasDied).toBe(true);
    // Once the deposit is stored, the engine is no longer needed: it may have ended the bonus, or be down.
    if (step !== 'before-insert') engine.behaviour = 'broken';
    await database.query({ text: 'update deposit set busy_until = null where id = $1', values: [depositId] });
    const other = startNode();
    await pay(other);
    await other.payments.apply(report);
    expect(await bonusOf()).toBe(25_000n);
    const hooks = await hooksOf(depositId);
    expect(hooks.filter(({ type }) => type === 'deposit.processed')).toHaveLength(1);
  },
);
