/**
 * A part of a payout to a card that came back after the payout was paid (WD-2). The payout stays paid, and the provider has the money of the
 * part. The operator gives the user this amount by a transfer, which the dismissal of the report then names.
 */
import type { Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { walletModeOf } from '../../operator-wallet/wallet-mode.ts';
import type { ToldBody } from './waiting-reports.ts';

/** SQL: whether a parked report about the withdrawal `payment` is about such a part. Before the payout is paid, the cashier replaces it. */
export const isReturnedPart = `report.outcome = 'other-amount' and report.reported = 'returned' and payment.state = 'paid' and exists (
    select 1 from payout_refund where payout_refund.operator_id = payment.operator_id and payout_refund.withdrawal_id = payment.id)`;

export interface ReturnedPart {
  readonly operatorId: string;
  readonly userId: string;
  readonly body: Pick<ToldBody, 'paidMinor' | 'currency'>;
  /** When the report arrived. */
  readonly since: Date;
}

/**
 * Checks that the operator has given the user exactly this amount, after the report came. An operator whose own system keeps the balances
 * gives it there, so there is no transfer to name.
 * @throws DomainError state-conflict
 */
export async function requireGiven(
  transaction: Transaction,
  { operatorId, userId, body, since }: ReturnedPart,
  transferId: string | undefined,
): Promise<void> {
  if ((await walletModeOf(transaction, operatorId)) !== 'cashier') return;
  if (transferId === undefined) {
    throw new DomainError(
      'state-conflict',
      'Give the user this amount by a transfer first, and name it by `transferId`.',
    );
  }
  const rows = await transaction.query({
    name: 'transfer-of-returned-part',
    text: `select 1 from operator_transfer where operator_id = $1 and transfer_id = $2 and user_id = $3 and amount = $4 and currency = $5
        and from_account = 'operator' and to_account in ('main', 'additional') and created_at >= $6
        and not exists (select 1 from report_dismissal where operator_id = $1 and transfer_id = $2)`,
    values: [operatorId, transferId, userId, body.paidMinor ?? null, body.currency ?? null, since],
  });
  if (rows.length === 0) throw refusedTransfer();
}

export const refusedTransfer = (): DomainError =>
  new DomainError(
    'state-conflict',
    'This transfer does not give this user this amount after the report, or it has ended another report.',
  );
