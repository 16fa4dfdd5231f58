import { randomUUID } from 'node:crypto';
import { awaitingPageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { constraintOf } from '../../database/pool-database.ts';
import { freezeUser } from '../../ledger/ledger.ts';
import type { Caller } from '../../operators/caller.ts';
import { type Bench, createBench } from '../../payments/testing/payments.fixture.ts';
import { failureOf } from '../../payments/testing/with-payments.fixture.ts';
import { books, intent, reportOn, richUser } from '../../withdrawals/withdrawals.fixture.ts';
import { type Asked, everyPage, type OperatorApi, openOperatorApi, withOperatorApi } from '../operator-api.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});
beforeEach(() => thresholds('500', '2000'));

const put = (settings: object, operatorId?: string) => api.ask('/approval-settings', settings, operatorId, 'PUT');
const thresholds = (approvalThreshold: string, secondApprovalThreshold?: string) =>
  put({
    thresholds: [{ currency: 'INR', approvalThreshold, ...(secondApprovalThreshold && { secondApprovalThreshold }) }],
  });

interface Waiting {
  readonly caller: Caller;
  readonly id: string;
}

/** Creates a withdrawal that its user has confirmed; by default of 1000.00 INR. */
async function confirmed(amount = '1000.00'): Promise<Waiting & { readonly status: number }> {
  const caller = await richUser(database, 500_000n);
  const command = intent(caller, { amount });
  const { withdrawalId: id } = command.request;
  await bench.payments.withdrawals.create(command);
  const { status } = await bench.payments.withdrawals.confirm(caller, id);
  return { caller, id, status };
}

const approve = (id: string, decidedBy = 'eve', decisionId: string = randomUUID(), operatorId?: string) =>
  api.ask(`/withdrawals/${id}/approve`, { decisionId, decidedBy }, operatorId);
const decline = (id: string, decidedBy = 'eve', decisionId: string = randomUUID()) =>
  api.ask(`/withdrawals/${id}/decline`, { decisionId, decidedBy, reason: 'never seen before' });

const told = (id: string) => bench.provider.withdraws.filter(({ withdrawalId }) => withdrawalId === id);
const held = (minor = 100_000n) => ({ free: 500_000n - minor, additional: 0n, held: minor });
const whole = { free: 500_000n, additional: 0n, held: 0n };

const hooksOf = async (id: string) => {
  const rows = await database.query<{ type: string; body: string }>({
    text: 'select type, body from webhook_delivery where withdrawal_id = $1 order by created_at',
    values: [id],
  });
  return rows.map(({ type, body }) => ({ type, ...JSON.parse(body).data }));
};
const stateOf = async (id: string) => {
  const [row] = await database.query<{ state: string }>({
    text: 'select state from withdrawal where id = $1',
    values: [id],
  });
  return row?.state;
};
const listed = async (query = '', operatorId?: string) => {
  const { body } = await api.ask(`/withdrawals?awaiting=approval${query}`, undefined, operatorId);
  return v.parse(awaitingPageSchema, body);
};
const conflict = (state: string) => ({ code: 'state-conflict', body: { error: { params: { state } } } });

describe('[SRV-1] [WD-2] above the threshold', () => {
  test('[SRV-3] a withdrawal from an account that was frozen meanwhile can be declined, but not approved or confirmed', async () => {
    const { caller, id } = await confirmed();
    const below = intent(caller, { amount: '400.00' });
    await bench.payments.withdrawals.create(below);
    // A deposit was charged back after the user had spent a part of it.
    await database.transaction((transaction) => freezeUser(transaction, caller.operatorId, caller.userId, 'INR'));
    expect(await approve(id)).toMatchObject(conflict('awaiting_approval'));
    const confirm = bench.payments.withdrawals.confirm(caller, below.request.withdrawalId);
    expect(await failureOf(confirm)).toMatchObject({ code: 'state-conflict' });
    expect([told(id), told(below.request.withdrawalId)]).toEqual([[], []]);
    expect(await stateOf(id)).toBe('awaiting_approval');
    expect((await decline(id)).body).toMatchObject({ state: 'declined' });
    await bench.payments.withdrawals.cancel(caller, below.request.withdrawalId);
    expect(await books(database, caller)).toEqual(whole);
  });

  test('a confirmed withdrawal is held and waits, the operator and the user are informed, and an approval sends it', async () => {
    const { caller, id, status } = await confirmed();
    expect(status).toBe(3);
    expect(told(id)).toEqual([]);
    expect(await books(database, caller)).toEqual(held());
    expect((await hooksOf(id)).map(({ type }) => type)).toEqual(['withdrawal.held', 'withdrawal.awaiting_approval']);
    expect((await hooksOf(id))[1]).toMatchObject({ withdrawalId: id, approvalsNeeded: 1, status: 'accepted' });
    await bench.payments.runDueWork();
    expect(bench.pushes.at(-1)).toMatchObject({
      userId: caller.userId,
      name: 'withdrawal.status',
      body: { status: 3, canCancel: true, reason: 'withdrawal.reason.approval' },
    });
    expect(told(id)).toEqual([]);

    const decisionId = randomUUID();
    const first = await approve(id, 'clerk-17', decisionId);
    expect(first).toMatchObject({
      status: 200,
      body: { decision: 'approve', decidedBy: 'clerk-17', state: 'submitted', approvals: [{ decidedBy: 'clerk-17' }] },
    });
    expect((await approve(id, 'clerk-17', decisionId)).body).toEqual(first.body);
    expect(await approve(id, 'mallory')).toMatchObject(conflict('submitted'));
    expect(told(id)).toHaveLength(1);
    // The destination was stored until the provider had it.
    expect(told(id)[0]?.fields).toEqual({ cardNumber: '4111111111111111' });
    const view = await bench.payments.withdrawals.status(caller, id);
    expect(view).toMatchObject({ status: 3, canCancel: false });
    expect(view).not.toHaveProperty('reason');
    await bench.payments.withdrawals.apply(reportOn(id));
    expect(await books(database, caller)).toEqual({ free: 400_000n, additional: 0n, held: 0n });
    expect((await hooksOf(id)).map(({ type }) => type).slice(2)).toEqual([
      'withdrawal.submitted',
      'withdrawal.processed',
    ]);
    const history = await database.query<{ to_state: string; cause: string }>({
      text: 'select to_state, cause from withdrawal_history where withdrawal_id = $1 order by n',
      values: [id],
    });
    expect(history).toContainEqual({ to_state: 'submitted_unknown', cause: 'staff:clerk-17' });
    expect(JSON.stringify(bench.logs)).not.toContain('clerk-17');
  });

  test('a second approval must come from another person; the same name does not count twice', async () => {
    const { caller, id } = await confirmed('3000.00');
    const first = randomUUID();
    expect((await approve(id, 'eve', first)).body).toMatchObject({ state: 'awaiting_approval', approvalsNeeded: 2 });
    expect(await approve(id, 'eve')).toMatchObject(conflict('awaiting_approval'));
    expect(await approve(id, 'EVE')).toMatchObject(conflict('awaiting_approval'));
    expect((await approve(id, 'eve', first)).body).toMatchObject({ state: 'awaiting_approval' });
    expect(await approve(id, 'mallory', first)).toMatchObject({ code: 'idempotency-conflict' });
    expect(told(id)).toEqual([]);
    expect(await books(database, caller)).toEqual(held(300_000n));
    expect((await listed(`&userId=${caller.userId}`)).withdrawals).toMatchObject([
      { withdrawalId: id, approvalsNeeded: 2, approvals: [{ decidedBy: 'eve' }] },
    ]);
    expect((await approve(id, 'mallory')).body).toMatchObject({
      state: 'submitted',
      approvals: [{ decidedBy: 'eve' }, { decidedBy: 'mallory' }],
    });
    expect(told(id)).toHaveLength(1);
  });

  test('a decline returns the amount and is reported; new thresholds apply at once, but not to waiting withdrawals', async () => {
    const { caller, id } = await confirmed();
    await thresholds('1000');
    expect((await confirmed()).status).toBe(3);
    expect(bench.provider.withdraws).toHaveLength(1);
    expect(await stateOf(id)).toBe('awaiting_approval');
    const decisionId = randomUUID();
    const declined = await decline(id, 'eve', decisionId);
    expect(declined.body).toMatchObject({ decision: 'decline', state: 'declined', status: 'mistaked' });
    expect((await decline(id, 'eve', decisionId)).body).toEqual(declined.body);
    expect(await approve(id, 'mallory')).toMatchObject(conflict('declined'));
    expect(await books(database, caller)).toEqual(whole);
    expect(await bench.payments.withdrawals.status(caller, id)).toMatchObject({
      status: 2,
      reason: 'withdrawal.reason.unapproved',
    });
    expect((await hooksOf(id)).at(-1)).toMatchObject({ type: 'withdrawal.declined', status: 'mistaked' });
    await thresholds('0');
    const small = await confirmed('100.00');
    expect(await stateOf(small.id)).toBe('awaiting_approval');
    await put({ thresholds: [] });
    expect(await stateOf((await confirmed('4000.00')).id)).toBe('submitted');
  });
});

describe('[SRV-3] exactly one decision takes effect', () => {
  test('of ten simultaneous approvals and ten declines', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const { caller, id } = await confirmed();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index + round) % 2 === 0 ? approve(id, `a-${index}`) : decline(id, `d-${index}`),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === 'state-conflict')).toHaveLength(19);
      const state = await stateOf(id);
      seen.add(String(state));
      expect(told(id)).toHaveLength(state === 'submitted' ? 1 : 0);
      expect(await books(database, caller)).toEqual(state === 'submitted' ? held() : whole);
    }
    for (const state of seen) expect(['submitted', 'declined']).toContain(state);
  });

  test('of two approvals and the cancellation by the user', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { caller, id } = await confirmed();
      const work: (() => Promise<unknown>)[] = [
        () => approve(id),
        () => bench.payments.withdrawals.cancel(caller, id).catch(() => undefined),
        () => approve(id, 'mallory'),
      ];
      await Promise.all([...work.slice(round % 3), ...work.slice(0, round % 3)].map((one) => one()));
      const isPaying = (await stateOf(id)) === 'submitted';
      expect(await stateOf(id)).toBe(isPaying ? 'submitted' : 'cancelled');
      expect(told(id)).toHaveLength(isPaying ? 1 : 0);
      expect(await books(database, caller)).toEqual(isPaying ? held() : whole);
    }
  });

  test('simultaneous approvals under one name count once', async () => {
    const { id } = await confirmed('3000.00');
    const answers = await Promise.all(Array.from({ length: 6 }, () => approve(id, 'eve')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await stateOf(id)).toBe('awaiting_approval');
    expect(told(id)).toEqual([]);
  });

  test('a withdrawal without a decision expires, even after a restart; a late approval pays nothing', async () => {
    const { caller, id } = await confirmed();
    await database.query({
      text: `update withdrawal set expires_at = now() - interval '1 second' where id = $1`,
      values: [id],
    });
    expect(await approve(id)).toMatchObject({ code: 'state-conflict' });
    bench = createBench(database);
    await bench.payments.runDueWork();
    expect(await stateOf(id)).toBe('expired');
    expect(await books(database, caller)).toEqual(whole);
    expect(await bench.payments.withdrawals.status(caller, id)).toMatchObject({
      reason: 'withdrawal.reason.unapproved',
    });
    expect((await hooksOf(id)).at(-1)).toMatchObject({ type: 'withdrawal.expired' });
  });

  test('if a node dies between the approval and the request to the provider, another node sends it', async () => {
    const { id } = await confirmed();
    const dying = createBench(database, {
      failpoint(name) {
        if (name === 'withdrawal-confirmed') throw new Error('crash');
      },
    });
    const door = await openOperatorApi(database, dying.payments);
    expect((await door.ask(`/withdrawals/${id}/approve`, { decisionId: randomUUID(), decidedBy: 'eve' })).status).toBe(
      500,
    );
    await door.close();
    expect(await stateOf(id)).toBe('submitted_unknown');
    await database.query({
      text: 'update withdrawal set busy_until = null, check_at = now() where id = $1',
      values: [id],
    });
    await bench.payments.runDueWork();
    expect(await stateOf(id)).toBe('submitted');
    expect(told(id)).toHaveLength(1);
  });

  test('a provider’s report about a withdrawal that is not approved changes nothing; after the approval it is applied', async () => {
    const caller = await richUser(database, 500_000n);
    const command = intent(caller);
    const { withdrawalId: id } = command.request;
    const { withdrawals } = bench.payments;
    await withdrawals.create(command);
    expect((await withdrawals.apply(reportOn(id))).outcome).toBe('unmatched');
    expect((await withdrawals.apply(reportOn(id, { outcome: 'pending' }))).outcome).toBe('unmatched');
    await withdrawals.confirm(caller, id);
    expect((await withdrawals.apply(reportOn(id))).outcome).toBe('unmatched');
    expect(await books(database, caller)).toEqual(held());
    const skipped = await database
      .query({ text: `update withdrawal set state = 'submitted_unknown' where id = $1`, values: [id] })
      .then(() => undefined, constraintOf);
    expect(skipped).toBe('withdrawal_approved');
    await approve(id);
    // The parked report is applied at once, no matter how long it has waited.
    await bench.payments.runDueWork();
    expect(await stateOf(id)).toBe('paid');
  });
});

describe('[SRV-1] the list and the settings', () => {
  test('lists the operator’s own withdrawals, the oldest first and page by page, narrowed by user and time', async () => {
    const ids = [(await confirmed()).id, (await confirmed()).id, (await confirmed()).id];
    const all = (await listed('&limit=200')).withdrawals.map(({ withdrawalId }) => withdrawalId);
    expect(all.slice(-3)).toEqual(ids);
    const paged = await everyPage(api, '/withdrawals?awaiting=approval', awaitingPageSchema, {
      limit: 1,
      rowsOf: (page) => page.withdrawals.map(({ withdrawalId }) => withdrawalId),
    });
    expect(paged).toEqual(all);
    const [last] = (await listed('&limit=200')).withdrawals.slice(-1);
    expect(last).toMatchObject({
      amount: '1000.00',
      fee: '26.00',
      receives: '974.00',
      destination: [{ name: 'cardNumber', value: '•••• 1111' }],
      because: 'amount',
    });
    expect((await listed('&currency=USD')).withdrawals).toEqual([]);
    expect((await listed(`&to=${last?.since}`)).withdrawals).toHaveLength(all.length - 1);
    expect(await listed('', 'other')).toEqual({ withdrawals: [] });
    for (const query of ['', '?awaiting=payment', '?awaiting=approval&limit=0', '?awaiting=approval&cursor=x'])
      expect((await api.ask(`/withdrawals${query}`)).code).toBe('invalid-request');
  });

  test('another operator cannot decide, and a wrong request changes nothing', async () => {
    const { id } = await confirmed();
    expect(await approve(id, 'eve', randomUUID(), 'other')).toMatchObject({ status: 404, code: 'not-found' });
    expect(await approve(randomUUID())).toMatchObject({ status: 404 });
    const wrong: [string, object, string][] = [
      ['approve', { decidedBy: 'eve' }, 'decisionId'],
      ['approve', { decisionId: randomUUID() }, 'decidedBy'],
      ['approve', { decisionId: randomUUID(), decidedBy: 'e v e' }, 'decidedBy'],
      ['decline', { decisionId: randomUUID(), decidedBy: 'eve' }, 'reason'],
    ];
    for (const [what, body, path] of wrong) {
      const answer: Asked = await api.ask(`/withdrawals/${id}/${what}`, body);
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
    }
    expect((await approve('x')).code).toBe('invalid-request');
    expect(await stateOf(id)).toBe('awaiting_approval');
  });

  test('each operator has its own settings; they are read as they were written, and impossible ones are refused', async () => {
    const settings = {
      thresholds: [
        { currency: 'BTC', approvalThreshold: '0.00000000' },
        { currency: 'EUR', dailyThreshold: '900.00' },
        { currency: 'INR', approvalThreshold: '500.00', secondApprovalThreshold: '2000.00', dailyThreshold: '5000.00' },
      ],
      approvalHours: 24,
      differentKeys: false,
    };
    expect((await put(settings)).body).toEqual(settings);
    expect((await api.ask('/approval-settings')).body).toEqual(settings);
    const { id } = await confirmed();
    const [one] = (await listed()).withdrawals.filter(({ withdrawalId }) => withdrawalId === id);
    expect(Date.parse(one?.expires ?? '') - Date.parse(one?.since ?? '')).toBe(24 * 3_600_000);
    const untouched = { thresholds: [], approvalHours: 168, differentKeys: false };
    expect((await api.ask('/approval-settings', undefined, 'other')).body).toEqual(untouched);
    const [, , inr] = settings.thresholds;
    const wrong: [object, string][] = [
      [{ thresholds: [{ currency: 'ZZZ', approvalThreshold: '1' }] }, 'thresholds.0.currency'],
      [{ thresholds: [inr, inr] }, 'thresholds.1.currency'],
      [{ thresholds: [{ ...inr, secondApprovalThreshold: '1' }] }, 'thresholds.0.secondApprovalThreshold'],
      [{ thresholds: [{ ...inr, approvalThreshold: '0.001' }] }, 'thresholds.0.approvalThreshold'],
      [{ thresholds: [{ ...inr, approvalThreshold: '-1' }] }, 'thresholds.0.approvalThreshold'],
      [{ thresholds: [{ ...inr, dailyThreshold: '0.001' }] }, 'thresholds.0.dailyThreshold'],
      [{ thresholds: [{ currency: 'INR' }] }, 'thresholds.0.approvalThreshold'],
      [
        { thresholds: [{ currency: 'INR', secondApprovalThreshold: '5', dailyThreshold: '9' }] },
        'thresholds.0.approvalThreshold',
      ],
      [{ thresholds: [], approvalHours: 0 }, 'approvalHours'],
      [{ approvalHours: 5 }, 'thresholds'],
    ];
    for (const [body, path] of wrong)
      expect(await put(body)).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
    expect((await api.ask('/approval-settings')).body).toEqual(settings);
  });
});

describe('[SRV-3] two approvals by two keys', () => {
  const [first, second] = [`op#${randomUUID()}`, `op#${randomUUID()}`];
  const differentKeys = (on?: boolean) =>
    put({
      thresholds: [{ currency: 'INR', approvalThreshold: '500', secondApprovalThreshold: '500' }],
      ...(on !== undefined && { differentKeys: on }),
    });

  test('one key cannot approve twice under two names, where the operator wants two keys', async () => {
    await differentKeys(true);
    // A request that does not name the setting keeps it.
    expect((await differentKeys()).body).toMatchObject({ differentKeys: true });
    const { id } = await confirmed();
    expect((await approve(id, 'eve', randomUUID(), first)).status).toBe(200);
    expect(await approve(id, 'bob', randomUUID(), first)).toMatchObject({ status: 409, code: 'state-conflict' });
    expect(await stateOf(id)).toBe('awaiting_approval');
    // Another name and another key are both needed.
    expect(await approve(id, 'EVE', randomUUID(), second)).toMatchObject({ status: 409 });
    expect((await approve(id, 'bob', randomUUID(), second)).status).toBe(200);
    expect(told(id)).toHaveLength(1);
    const keys = await database.query<{ key: string }>({
      text: 'select key_id as key from withdrawal_decision where withdrawal_id = $1 order by at',
      values: [id],
    });
    expect(keys.map(({ key }) => `op#${key}`)).toEqual([first, second]);
  });

  test('without the setting two names are enough, and the key is recorded', async () => {
    await differentKeys(false);
    const { id } = await confirmed();
    await approve(id, 'eve', randomUUID(), first);
    expect((await approve(id, 'bob', randomUUID(), first)).status).toBe(200);
    expect(told(id)).toHaveLength(1);
  });
});
