/** Assembles withdrawals: their calls, the application of reports, and their background work. */

import { confirmationOf } from '../confirmation-codes/confirmation-code.ts';
import { DomainError } from '../errors/domain-error.ts';
import { createDueWorker, type DueWorker } from '../jobs/due-worker.ts';
import type { Caller } from '../operators/caller.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { applyWithdrawal } from './apply-withdrawal.ts';
import { cancelWithdrawal, expireWithdrawals } from './cancel-withdrawal.ts';
import { cardAccounts } from './card-withdrawal.ts';
import { confirmWithdrawal, resendCode } from './confirm-withdrawal.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { reconcileWithdrawals, retryParkedWithdrawalEvents } from './reconcile-withdrawals.ts';
import { destinationOf, withdrawalView } from './withdrawal-row.ts';
import { findUnconfirmed, findWithdrawal, type WithdrawalKey } from './withdrawal-store.ts';
import type { Withdrawals } from './withdrawals.ts';

/** Makes the withdrawals interface over its ports. */
export function createWithdrawals(core: PaymentsCore): Withdrawals {
  return {
    create: (command) => createWithdrawal(core, command),
    confirm: (caller, withdrawalId, code) => confirmWithdrawal(core, keyOf(caller, withdrawalId), code),
    sendCode: (caller, withdrawalId) => resendCode(core, keyOf(caller, withdrawalId)),
    cancel: (caller, withdrawalId, options) => cancelWithdrawal(core, keyOf(caller, withdrawalId), options),
    async status(caller, withdrawalId) {
      const row = await findWithdrawal(core.database, keyOf(caller, withdrawalId));
      if (row === undefined) throw new DomainError('not-found', 'Withdrawal not found');
      const confirmation = await confirmationOf(core.database, row);
      const destination = destinationOf(row);
      return {
        ...withdrawalView(row),
        ...(confirmation && { confirmation }),
        ...(destination && { destination: [...destination] }),
      };
    },
    async unconfirmed(caller, currency) {
      const row = await findUnconfirmed(core.database, caller, currency);
      return row && withdrawalView(row);
    },
    cards: (caller, paymentMethod, currency) => cardAccounts(core, { caller, paymentMethod, currency }),
    apply: (report) => applyWithdrawal(core, report),
  };
}

/** The background workers of withdrawals. */
export function withdrawalWorkers(core: PaymentsCore): DueWorker[] {
  const ports = { clock: core.clock, logger: core.logger, spans: core.spans };
  return [
    createDueWorker(retryParkedWithdrawalEvents(core), ports),
    createDueWorker(reconcileWithdrawals(core), ports),
    createDueWorker(expireWithdrawals(core), ports),
  ];
}

function keyOf(caller: Caller, withdrawalId: string): WithdrawalKey {
  return { operatorId: caller.operatorId, userId: caller.userId, publicId: withdrawalId };
}
