import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { userBalance } from '../ledger/ledger.ts';
import { type Bench, callbackOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { creditsOf, depositStateOf, openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { MOST_TRIES } from './read-callbacks.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const openDeposit = () => openDepositOf(bench);
const balanceOf = (userId: string) => userBalance(database, 'op', userId, 'INR');

const stateOf = (depositId: string) => depositStateOf(database, depositId);

describe('[SRV-3] the inbox', () => {
  test('does not store an unsigned callback; stores a signed one once and applies it', async () => {
    const { userId, depositId } = await openDeposit();
    const report = reportOf(depositId);
    const inbox = async () => (await database.query({ text: 'select 1 from webhook_inbox' })).length;
    const before = await inbox();
    expect(await bench.payments.receiveCallback('fake', callbackOf(report, 'm1', 'forged'))).toEqual({
      kind: 'rejected',
    });
    expect(await bench.payments.receiveCallback('nobody', callbackOf(report))).toEqual({ kind: 'unknown-provider' });
    expect(await inbox()).toBe(before);
    const twenty = Array.from({ length: 20 }, () => bench.payments.receiveCallback('fake', callbackOf(report)));
    expect(new Set((await Promise.all(twenty)).map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(await inbox()).toBe(before + 1);
    expect(await balanceOf(userId)).toBe(0n);
    await bench.payments.runDueWork();
    expect(await balanceOf(userId)).toBe(50_000n);
  });

  test('[SRV-9] does not store a callback over the rate limit until it comes again; a forged callback does not count', async () => {
    const { depositId } = await openDeposit();
    const asked: string[] = [];
    const send = (wait: number, signature?: string) =>
      bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'limited', signature), async () => {
        asked.push(`${wait}`);
        return wait;
      });
    expect(await send(7, 'forged')).toEqual({ kind: 'rejected' });
    expect(asked).toEqual([]);
    expect(await send(7)).toEqual({ kind: 'over-limit', retryAfterSeconds: 7 });
    await bench.payments.runDueWork();
    expect(await creditsOf(database, depositId)).toBe(0);
    expect(await send(0)).toEqual({ kind: 'accepted' });
    await bench.payments.runDueWork();
    expect(await creditsOf(database, depositId)).toBe(1);
  });

  test('alerts staff to a duplicate id with other content', async () => {
    const { depositId } = await openDeposit();
    await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'same'));
    await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'same'));
    expect(bench.logs.some(({ level, message }) => level === 'error' && message.includes('other content'))).toBe(true);
  });

  test('sets an unreadable callback aside after ten tries, without delaying the others', async () => {
    const poison = { ...callbackOf(reportOf(randomUUID()), 'poison'), rawBody: new TextEncoder().encode('{') };
    await bench.payments.receiveCallback('fake', poison);
    const good = await Promise.all(Array.from({ length: 9 }, openDeposit));
    for (const { depositId } of good) await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
    await bench.payments.runDueWork();
    for (const { depositId } of good) expect(await stateOf(depositId)).toBe('credited');
    for (let tries = 1; tries < 10; tries += 1) {
      await database.query({ text: `update inbox_queue set next_at = now() where message_id = 'poison'` });
      await bench.payments.runDueWork();
    }
    const [dead] = await database.query<{ status: string; tries: number }>({
      text: `select status, tries from inbox_queue where message_id = 'poison'`,
    });
    expect(dead).toEqual({ status: 'dead', tries: 10 });
  });

  test('reads a callback again that was set aside, when the provider sends it again', async () => {
    const { userId, depositId } = await openDeposit();
    const callback = callbackOf(reportOf(depositId), `aside-${depositId}`);
    await bench.payments.receiveCallback('fake', callback);
    await database.query({
      text: `update inbox_queue set tries = ${MOST_TRIES - 1} where message_id = 'aside-' || $1`,
      values: [depositId],
    });
    const broken = createBench(database, {
      failpoint: (name) => {
        if (name === 'credit-uncommitted') throw new Error('out of order');
      },
    });
    await broken.payments.runDueWork();
    await bench.payments.runDueWork();
    expect(await balanceOf(userId)).toBe(0n);
    // Other content under the same id is not read.
    const forged = callbackOf(reportOf(depositId, { paidMinor: 1n }), `aside-${depositId}`);
    for (const again of [forged, callback, callback]) {
      expect(await bench.payments.receiveCallback('fake', again)).toEqual({ kind: 'accepted' });
      await bench.payments.runDueWork();
      expect(await balanceOf(userId)).toBe(again === forged ? 0n : 50_000n);
    }
    expect(await creditsOf(database, depositId)).toBe(1);
  });

  test('reads a callback that was set aside also when other content under its id comes at the same moment', async () => {
    const { depositId } = await openDeposit();
    const callback = callbackOf(reportOf(depositId), `both-${depositId}`);
    const forged = callbackOf(reportOf(depositId, { paidMinor: 1n }), `both-${depositId}`);
    await bench.payments.receiveCallback('fake', callback);
    await database.query({
      text: `update inbox_queue set status = 'dead' where message_id = 'both-' || $1`,
      values: [depositId],
    });
    await Promise.all([forged, callback, callback, forged].map((each) => bench.payments.receiveCallback('fake', each)));
    await bench.payments.runDueWork();
    expect(await creditsOf(database, depositId)).toBe(1);
    expect(bench.logs.filter(({ message }) => message.includes('other content'))).toHaveLength(2);
  });

  test('survives a crash after storing or applying: nothing is lost, and the credit is booked once', async () => {
    for (const point of ['callback-stored', 'callback-applied']) {
      const { userId, depositId } = await openDeposit();
      const dying = createBench(database, {
        failpoint: (name) => {
          if (name === point) throw new Error('crash');
        },
      });
      const callback = callbackOf(reportOf(depositId));
      await dying.payments
        .receiveCallback('fake', callback)
        .catch((error: Error) => expect(error.message).toBe('crash'));
      await dying.payments.runDueWork();
      await database.query({ text: 'update inbox_queue set next_at = now()' });
      await bench.payments.runDueWork();
      expect(await balanceOf(userId)).toBe(50_000n);
      expect(await creditsOf(database, depositId)).toBe(1);
    }
  });
});

test('[SRV-3] a crash between sending and marking a push sends the push again', async () => {
  const { userId, depositId } = await openDeposit();
  const dying = createBench(database, {
    failpoint: (name) => {
      if (name === 'pushes-sent') throw new Error('crash');
    },
  });
  await bench.payments.apply(reportOf(depositId));
  await dying.payments.runDueWork();
  expect(dying.pushes.some((push) => push.userId === userId)).toBe(true);
  await database.query({ text: 'update outbox set next_at = now()' });
  await bench.payments.runDueWork();
  expect(bench.pushes.filter((push) => push.userId === userId).at(-1)?.body).toMatchObject({ depositId, status: 1 });
  expect(await database.query({ text: 'select 1 from outbox' })).toEqual([]);
});

test('[SRV-3] a verified report that contradicts its deposit credits nothing and stays parked, also when tried again', async () => {
  const { userId, depositId } = await openDepositOf(bench);
  const wrong = reportOf(depositId, { asked: { minor: 50_001n, currency: 'INR' } });
  expect(await bench.payments.apply(wrong)).toMatchObject({ outcome: 'unmatched' });
  await database.query({
    text: `update deposit_event set next_at = now() where event_id = $1`,
    values: [wrong.eventId],
  });
  await bench.payments.runDueWork();
  expect(await creditsOf(database, depositId)).toBe(0);
  expect(await userBalance(database, 'op', userId, 'INR')).toBe(0n);
  const [kept] = await database.query({
    text: 'select status, outcome, deposit_id, tries from deposit_event where event_id = $1',
    values: [wrong.eventId],
  });
  expect(kept).toEqual({ status: 'parked', outcome: 'asked-amount', deposit_id: depositId, tries: 3 });
  expect(bench.logs.filter(({ message }) => message.includes('other content'))).toEqual([]);
  // The correct report is another event.
  const right = reportOf(depositId, { asked: { minor: 50_000n, currency: 'INR' } });
  expect(await bench.payments.apply(right)).toMatchObject({ outcome: 'credited' });
});
