/** A transfer that leaves in a file for a bank: what a provider stores, and what it reports. Files are built in `payout-files`. */
import { causeOfReason } from '@opencashier/core/sepa/bank-status';
import type { CreditTransferVersion, DebtorAccount } from '@opencashier/core/sepa/credit-transfer-file';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import type { DataKeys, Sealed } from '../sealing/data-keys.ts';
import type { WithdrawalReport } from './withdrawal-provider.ts';

/** The account that is debited, and how its files are built. */
export interface TransferAccount {
  readonly debtor: DebtorAccount;
  readonly version: CreditTransferVersion;
  readonly isInstant: boolean;
  readonly isBatchBooked: boolean;
  /** `15:00` of Frankfurt: later files are executed on the next business day. */
  readonly cutOff: string;
  /** The most transfers of a file. */
  readonly batchSize: number;
  /** The most of one file, in cents. */
  readonly batchLimit: bigint;
}

export type TransferState = 'queued' | 'filed' | 'stopped' | 'paid' | 'declined' | 'returned';

/** What a report needs of a stored transfer. */
export interface FiledTransfer {
  readonly withdrawalId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly state: TransferState;
  /** The code of the bank's reason. */
  readonly reason: string | null;
  /** What came back, in minor units. */
  readonly returned: bigint | null;
  readonly changedAt: Date;
}

export interface Payee {
  readonly name: string;
  readonly iban: string;
}

const contextOf = (operatorId: string, withdrawalId: string): string =>
  JSON.stringify(['payout_transfer', operatorId, withdrawalId]);

export function sealPayee(keys: DataKeys, operatorId: string, withdrawalId: string, payee: Payee): Sealed {
  return keys.seal(JSON.stringify(payee), contextOf(operatorId, withdrawalId));
}

/** Undefined when its key is no longer in the settings. */
export function openPayee(keys: DataKeys, operatorId: string, withdrawalId: string, sealed: Sealed): Payee | undefined {
  const text = keys.open(sealed, contextOf(operatorId, withdrawalId));
  return text === undefined ? undefined : (JSON.parse(text) as Payee);
}

const OUTCOMES: Readonly<Record<TransferState, WithdrawalReport['outcome']>> = {
  queued: 'pending',
  filed: 'pending',
  // Staff decide, so the amount stays held.
  stopped: 'pending',
  paid: 'paid',
  declined: 'declined',
  returned: 'returned',
};

/** The report about a transfer. The same state has the same event id, whether it is asked for or sent. */
export function reportOfTransfer(provider: string, transfer: FiledTransfer): WithdrawalReport {
  const { withdrawalId, state, amount, currency, reason, returned, changedAt } = transfer;
  const outcome = OUTCOMES[state];
  const reference = endToEndIdOf(withdrawalId);
  const isOver = outcome === 'declined' || outcome === 'returned';
  const cause = isOver ? causeOfReason(reason ?? undefined) : undefined;
  return {
    provider,
    providerRef: reference,
    withdrawalId,
    outcome,
    paidMinor: returned ?? amount,
    currency,
    ...(isOver && reason !== null && { reason }),
    ...(cause !== undefined && { cause }),
    eventId: `${reference}-${outcome}`,
    at: changedAt.toISOString(),
  };
}
