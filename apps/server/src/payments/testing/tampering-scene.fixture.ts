import type { Database } from '../../database/database.ts';
import { freezeUser } from '../../ledger/ledger.ts';
import { intent, reportOn, richUser } from '../../withdrawals/withdrawals.fixture.ts';
import { createBench, reportOf } from './payments.fixture.ts';
import type { Scene } from './tampering-cases.fixture.ts';
import { openDepositOf } from './with-payments.fixture.ts';

/** Deposits, withdrawals and a frozen account, for the cases of tampering. */
export async function makeScene(database: Database): Promise<Scene> {
  const own = createBench(database);
  const open = await openDepositOf(own);
  const credited = await openDepositOf(own);
  await own.payments.apply(reportOf(credited.depositId));
  const holder = await richUser(database);
  const command = intent(holder);
  await own.payments.withdrawals.create(command);
  const receiver = await richUser(database);
  const paidOut = intent(receiver).request;
  await own.payments.withdrawals.create({ caller: receiver, request: paidOut });
  await own.payments.withdrawals.confirm(receiver, paidOut.withdrawalId);
  await own.payments.withdrawals.apply(reportOn(paidOut.withdrawalId));
  const frozen = await richUser(database);
  await richUser(database, 100n, 'additional');
  await database.transaction((transaction) => freezeUser(transaction, 'op', frozen.userId, 'INR'));
  return {
    open: open.depositId,
    payer: open.userId,
    credited: credited.depositId,
    userId: credited.userId,
    held: command.request.withdrawalId,
    paidOut: paidOut.withdrawalId,
    receiver: receiver.userId,
    holder,
    frozen,
  };
}
