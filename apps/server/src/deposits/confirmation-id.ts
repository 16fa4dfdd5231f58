/**
 * The receipt number that a payer enters with "I have paid" (FORM-10). It is a note for staff; nothing is credited
 * from it.
 */
import { DomainError } from '../errors/domain-error.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { DepositRow } from './deposit-row.ts';
import { lockDeposit } from './deposit-store.ts';

/** Most receipt numbers per deposit, against guessing. */
export const MOST_CONFIRMATION_IDS = 5;

/**
 * Stores the receipt number if the deposit's method asks for one. Other methods ignore it.
 * @throws DomainError invalid-request without a number, state-conflict after five different numbers
 */
export async function storeConfirmationId(
  core: PaymentsCore,
  row: DepositRow,
  given: string | undefined,
): Promise<void> {
  const method = core.catalogue.started(row.operatorId, row.paymentMethod);
  if (method?.flags.confirmationId !== true) return;
  if (given === undefined) {
    throw new DomainError('invalid-request', 'This method requires the number of the receipt', {
      fields: [{ path: 'confirmationId', message: '8 to 10 digits' }],
    });
  }
  await core.database.transaction(async (transaction) => {
    await lockDeposit(transaction, row);
    const notes = await transaction.query<{ note: string }>({
      text: 'select note from deposit_note where operator_id = $1 and deposit_id = $2',
      values: [row.operatorId, row.id],
    });
    if (notes.some(({ note }) => note === given)) return;
    if (notes.length >= MOST_CONFIRMATION_IDS) {
      throw new DomainError('state-conflict', 'Too many receipt numbers were entered for this deposit');
    }
    await transaction.query({
      text: 'insert into deposit_note (operator_id, deposit_id, n, note) values ($1, $2, $3, $4)',
      values: [row.operatorId, row.id, notes.length + 1, given],
    });
  });
}
