/** Every tampering that the audit of the whole ledger finds, done after a checked point. The audit since the point finds each. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { isRefused } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { payments } from '../payments/testing/payment-tampering-cases.fixture.ts';
import { payouts } from '../payments/testing/payout-tampering-cases.fixture.ts';
import {
  balances,
  credits,
  frozen,
  histories,
  holds,
  journals,
  type Scene,
} from '../payments/testing/tampering-cases.fixture.ts';
import { makeScene } from '../payments/testing/tampering-scene.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { storeAuditPoints } from './audit-points.ts';
import { auditLedger, auditSincePoints } from './ledger-audit.ts';
import { withoutTriggers } from './without-triggers.fixture.ts';

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

let made: Promise<Scene> | undefined;

async function sceneAfterPoint(): Promise<Scene> {
  await database.transaction((transaction) => storeAuditPoints(transaction));
  return makeScene(database);
}

describe('[SRV-2] the audit since the checked point finds what the full audit finds', () => {
  let scene: Scene;
  beforeEach(async () => {
    made ??= sceneAfterPoint();
    scene = await made;
  });

  const cases = [...balances, ...credits, ...journals, ...payments, ...payouts, ...holds, ...frozen, ...histories];
  // The time of this journal is before the point. The full audit finds it by the digest of the point.
  test.each(cases.filter(([what]) => what !== 'a backdated journal'))('%s', async (_what, _rule, statements) => {
    const audits = await rolledBack(database, async (transaction) => {
      await withoutTriggers(transaction, statements(scene));
      return { full: await auditLedger(transaction), since: await auditSincePoints(transaction) };
    }).catch((error: unknown) => {
      // The keys and checks of the tables refuse some of the cases even without triggers.
      if (!isRefused(error)) throw error;
      return undefined;
    });
    expect(audits?.since.isSound).toBe(audits?.full.isSound);
  });
});
