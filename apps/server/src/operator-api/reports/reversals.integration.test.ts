import { randomUUID } from 'node:crypto';
import { pageQuery } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { ann, type Bench, commandOf, refOf, reportOf } from '../../payments/testing/payments.fixture.ts';
import { withOperatorApi } from '../operator-api.fixture.ts';
import { reversalPage } from './reversals.ts';

let database: Database;
let bench: Bench;
withOperatorApi((made) => {
  ({ database, bench } = made);
});

test('[SRV-1] [SRV-3] chargebacks are listed, in part and in full, page by page, only to their operator', async () => {
  const caller = { ...ann, userId: `user-${randomUUID()}` };
  const taken: string[] = [];
  for (const part of ['re_1', undefined]) {
    const command = commandOf({}, caller);
    const { depositId } = command.request;
    await bench.payments.createDeposit(command);
    await bench.payments.apply(reportOf(depositId));
    const of = part === undefined ? {} : { part, paidMinor: 12_000n };
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', ...of }));
    taken.push(depositId);
  }
  const first = await reversalPage(database, 'op', v.parse(pageQuery, { limit: '1' }));
  expect(first.reversals).toMatchObject([
    { depositId: taken[1], userId: caller.userId, isPartial: false, amount: '500.00', owed: '0.00', currency: 'INR' },
  ]);
  const query = v.parse(pageQuery, { limit: '1', cursor: first.nextCursor });
  const second = await reversalPage(database, 'op', query);
  const [depositId = ''] = taken;
  expect(second.reversals).toMatchObject([
    { depositId, isPartial: true, amount: '120.00', provider: 'fake', reference: `${refOf(depositId)}:part:re_1` },
  ]);
  expect((await reversalPage(database, 'nobody', v.parse(pageQuery, {}))).reversals).toEqual([]);
});
