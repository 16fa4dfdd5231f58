/**
 * SQL of the operator's connection that an entry of the ledger belongs to; null for the account in the settings of the server. `$1` is
 * the operator.
 * @param id the column with the id of the payment, refund, dispute or payout
 */
export const connectionOfEntry = (id: string): string =>
  `(select coalesce(deposit.connection_id, withdrawal.connection_id) from (select
      (select deposit_id from payment where operator_id = $1 and id = ${id}) as payment,
      (select deposit_id from refund where operator_id = $1 and id = ${id}) as refund,
      (select deposit_id from dispute where operator_id = $1 and id = ${id}) as dispute,
      (select withdrawal_id from payout where operator_id = $1 and id = ${id}) as payout) of_entry
    left join deposit on deposit.operator_id = $1 and deposit.id = coalesce(of_entry.payment, of_entry.refund, of_entry.dispute)
    left join withdrawal on withdrawal.operator_id = $1 and withdrawal.id = of_entry.payout)`;
