/** The audit names a call that waits for a wallet and that nobody would ask about again (SRV-2). */
import { beforeEach, expect, test } from 'vitest';
import type { Database, Transaction } from '../database/database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger, auditSincePoints } from '../ledger/ledger-audit.ts';
import type { LedgerFault } from '../ledger/ledger-faults.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { ann, type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { intent } from '../withdrawals/withdrawals.fixture.ts';
import { askUntilAnswered, type FakeWallet, useWallet, withWalletPayments } from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});

let withdrawalId: string;
let debitId: string;
beforeEach(async () => {
  await useWallet(database, wallet);
  wallet.always = 'lost';
  const command = intent({ ...ann, userId: 'waits' });
  ({ withdrawalId } = command.request);
  await bench.payments.withdrawals.create(command);
  const [debit] = await database.query<{ id: string }>({
    text: 'select id from operator_wallet_call where withdrawal_id = $1',
    values: [withdrawalId],
  });
  debitId = debit?.id ?? '';
});

interface Faults {
  readonly full: readonly LedgerFault[];
  readonly since: readonly LedgerFault[];
}

/** The faults of both audits after statements that the database would have refused, or that no program makes. */
function faultsAfter(
  statements: readonly string[],
  before: (transaction: Transaction) => Promise<void> = async () => undefined,
): Promise<Faults> {
  return rolledBack(database, async (transaction) => {
    await before(transaction);
    await withoutTriggers(transaction, statements);
    return { full: (await auditLedger(transaction)).faults, since: (await auditSincePoints(transaction)).faults };
  });
}

const call = (): LedgerFault => ({ rule: 'wallet_call_queued', subject: `wallet call ${debitId}` });
const withdrawal = (): LedgerFault => ({ rule: 'withdrawal_debit_queued', subject: `withdrawal ${withdrawalId}` });
const yesterday = (transaction: Transaction): Promise<void> => storeAuditPoints(transaction);

test('[SRV-2] a withdrawal that waits for the wallet is sound', async () => {
  expect(await faultsAfter([], yesterday)).toEqual({ full: [], since: [] });
});

test('[SRV-2] both audits name a waiting debit without its row in the queue, and its withdrawal', async () => {
  const found = await faultsAfter([`delete from operator_wallet_queue where call_id = '${debitId}'`], yesterday);
  expect(found).toEqual({ full: [call(), withdrawal()], since: [call(), withdrawal()] });
});

test('[SRV-2] the nightly audit names a withdrawal that waits since before the last point', async () => {
  const moved = `set created_at = created_at - interval '2 days'`;
  const found = await faultsAfter(
    [
      `update operator_wallet_call ${moved} where id = '${debitId}'`,
      `delete from operator_wallet_queue where call_id = '${debitId}'`,
    ],
    yesterday,
  );
  expect(found.since).toEqual([withdrawal()]);
});

test('[SRV-2] both audits name a withdrawal whose debit was deleted', async () => {
  const found = await faultsAfter(
    [
      `delete from operator_wallet_queue where call_id = '${debitId}'`,
      `delete from operator_wallet_call where id = '${debitId}'`,
    ],
    yesterday,
  );
  expect(found).toEqual({ full: [withdrawal()], since: [withdrawal()] });
});

test('[SRV-2] both audits name a row of the queue whose call is known, and one of another payment', async () => {
  for (const statement of [
    `update operator_wallet_call set state = 'declined', code = 'blocked', known_at = now() where id = '${debitId}'`,
    `update operator_wallet_queue set payment_id = gen_random_uuid() where call_id = '${debitId}'`,
  ]) {
    const found = await faultsAfter([statement], yesterday);
    expect(found).toEqual({ full: [call(), withdrawal()], since: [call(), withdrawal()] });
  }
});

test('[SRV-2] both audits name a credit without its row in the queue', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  const { full, since } = await faultsAfter(
    [`delete from operator_wallet_queue where payment_id = '${depositId}'`],
    yesterday,
  );
  for (const faults of [full, since]) {
    expect(faults.map(({ rule }) => rule)).toEqual(['wallet_call_queued', 'wallet_transit_agrees']);
  }
  wallet.always = undefined;
  await askUntilAnswered(database, bench);
});
