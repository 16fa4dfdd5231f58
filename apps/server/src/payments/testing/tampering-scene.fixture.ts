import type { Database } from '../../database/database.ts';
import { freezeUser } from '../../ledger/ledger.ts';
import { intent, reportOn, richUser } from '../../withdrawals/withdrawals.fixture.ts';
import { type Bench, createBench, reportOf } from './payments.fixture.ts';
import type { Scene } from './tampering-cases.fixture.ts';
import { openDepositOf } from './with-payments.fixture.ts';

/** One deposit that went on to the operator. */
async function passOnDeposit(database: Database, bench: Bench): Promise<void> {
  const set = (mode: string) =>
    database.query({ text: `update operator set wallet_mode = $1 where id = 'op'`, values: [mode] });
  await set('pass-through');
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await set('cashier');
}

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
  await passOnDeposit(database, own);
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
