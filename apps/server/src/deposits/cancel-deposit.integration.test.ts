import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { ann, type Bench, bob, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const stateOf = (depositId: string) => depositStateOf(database, depositId);

describe('[DEP-11] cancelling', () => {
  test('before the create stores a tombstone, and the late create is refused', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    expect(await bench.payments.cancelDeposit(ann, depositId)).toEqual({ isCancelled: true });
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('state-conflict');
    expect(bench.provider.creates).toEqual([]);
    expect(await codeOf(bench.payments.depositStatus(ann, depositId))).toBe('not-found');
    // Another user's equal key is unaffected.
    expect(await codeOf(bench.payments.createDeposit(commandOf({ depositId }, bob)))).toBe('ok');
  });

  test('[DEP-16] with ifUnknown voids an unused key for ever, and leaves a known deposit unchanged', async () => {
    const never = commandOf();
    const voided = { isCancelled: true };
    expect(await bench.payments.cancelDeposit(ann, never.request.depositId, { ifUnknown: true })).toEqual(voided);
    expect(await bench.payments.cancelDeposit(ann, never.request.depositId, { ifUnknown: true })).toEqual(voided);
    expect(await codeOf(bench.payments.createDeposit(never))).toBe('state-conflict');
    const known = commandOf();
    await bench.payments.createDeposit(known);
    const found = await bench.payments.cancelDeposit(ann, known.request.depositId, { ifUnknown: true });
    expect(found).toMatchObject({ isCancelled: false, transaction: { status: 0 } });
    expect(await stateOf(known.request.depositId)).toBe('awaiting_payment');
    // In either order, both calls agree whether there is a deposit.
    for (let round = 0; round < 20; round += 1) {
      const command = commandOf();
      const { depositId } = command.request;
      const [code, cancel] = await Promise.all([
        codeOf(bench.payments.createDeposit(command)),
        bench.payments.cancelDeposit(ann, depositId, { ifUnknown: true }),
      ]);
      expect(code).toBe(cancel.isCancelled ? 'state-conflict' : 'ok');
    }
  });

  test('fifty times concurrently with the create: one call wins, and both agree which', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const command = commandOf();
        const { depositId } = command.request;
        const [code, cancel] = await Promise.all([
          codeOf(bench.payments.createDeposit(command)),
          bench.payments.cancelDeposit(ann, depositId),
        ]);
        expect(cancel.isCancelled).toBe(true);
        const state = await stateOf(depositId);
        expect(state === undefined || state === 'cancelled').toBe(true);
        if (state === undefined) expect(code).toBe('state-conflict');
      }),
    );
  });

  test('during the call to the provider also cancels the payment at the provider', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    bench.provider.onCreate = async () => {
      await bench.payments.cancelDeposit(ann, depositId);
      return { kind: 'created', providerRef: refOf(depositId) };
    };
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('state-conflict');
    expect(bench.provider.cancels).toEqual([refOf(depositId)]);
  });

  test('does nothing to a paid deposit, and a payment after the cancel is kept as late', async () => {
    const paid = commandOf();
    await bench.payments.createDeposit(paid);
    await bench.payments.apply(reportOf(paid.request.depositId));
    expect(await bench.payments.cancelDeposit(ann, paid.request.depositId)).toMatchObject({
      isCancelled: false,
      transaction: { status: 1 },
    });
    const late = commandOf();
    await bench.payments.createDeposit(late);
    expect((await bench.payments.cancelDeposit(ann, late.request.depositId)).isCancelled).toBe(true);
    expect((await bench.payments.apply(reportOf(late.request.depositId))).outcome).toBe('suspended');
    expect(await bench.payments.depositStatus(ann, late.request.depositId)).toMatchObject({
      status: 3,
      isLate: true,
      reason: 'transaction.reason.late',
    });
  });
});
