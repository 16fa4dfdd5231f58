/** What a report shows of a deposit beside its outcome: the chain's blocks, what was seen, and a peer's own word for it. */
import type { Transaction } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit } from './deposit-row.ts';

/**
 * Keeps it at a locked deposit. A count of blocks only rises while the transaction is the same, since reports come in any
 * order, and so does what was seen; money that was seen stays seen. None of it decides anything.
 * @returns the row after the change; undefined when the report shows nothing new
 */
export async function noteDetails(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
): Promise<DepositRow | undefined> {
  if (row.providerRef !== null && evidence.providerRef !== row.providerRef) return undefined;
  const { chain, remoteStatus } = evidence;
  // It tells that there is nothing to show.
  if (evidence.outcome === 'vanished') return undefined;
  const seen = seenOf(row, evidence);
  if (chain === undefined && remoteStatus === undefined && seen === undefined) return undefined;
  const texts = [remoteStatus, chain?.txid, chain?.blockchain, chain?.cryptoCurrency];
  if (!texts.every((text) => text === undefined || isStorableText(text))) return undefined;
  const isSameTransaction = chain === undefined || chain.txid === row.txid;
  const confirmations =
    chain === undefined || (isSameTransaction && chain.confirmations < (row.confirmations ?? 0))
      ? row.confirmations
      : chain.confirmations;
  const word = row.remoteStatus === 'PAYED' ? row.remoteStatus : (remoteStatus ?? row.remoteStatus);
  const isLess = isSameTransaction && seen !== undefined && seen < (row.received ?? 0n);
  const received = isLess ? row.received : (seen ?? row.received);
  const isKnown = confirmations === row.confirmations && word === row.remoteStatus && received === row.received;
  if (isSameTransaction && isKnown) return undefined;
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-details',
    text: `update deposit set remote_status = $2, txid = coalesce($3, txid), blockchain = coalesce($4, blockchain),
        crypto_currency = coalesce($5, crypto_currency), confirmations = $6,
        required_confirmations = coalesce($7, required_confirmations), received = $8,
        reason = nullif(reason, '${VANISHED}')
      where id = $1 returning ${depositColumns}`,
    values: [
      row.id,
      word,
      chain?.txid ?? null,
      chain?.blockchain ?? null,
      chain?.cryptoCurrency ?? null,
      confirmations,
      chain?.requiredConfirmations ?? null,
      received,
    ],
  });
  if (changed === undefined) throw new Error(`Deposit ${row.id} is gone`);
  return readDeposit(changed);
}

/** A locale key: what was seen is not on its way any more. */
const VANISHED = 'transaction.reason.vanished';

/** Takes back what was shown of a payment that its chain has dropped: the user is told, and the deposit can be cancelled or expire. */
export async function forgetSeen(transaction: Transaction, row: DepositRow): Promise<DepositRow> {
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-forget-seen',
    text: `update deposit set txid = null, confirmations = null, received = null, reason = $2
      where id = $1 returning ${depositColumns}`,
    values: [row.id, VANISHED],
  });
  if (changed === undefined) throw new Error(`Deposit ${row.id} is gone`);
  return readDeposit(changed);
}

/** What this report saw of the deposit's own payment. What was paid is kept by the move, and stands. */
function seenOf(row: DepositRow, { outcome, paidMinor, currency, providerRef }: ProviderEvidence): bigint | undefined {
  const isOurs = currency === row.currency && (row.providerRef === null || row.providerRef === providerRef);
  const isOpen = outcome === 'pending' && row.paid === null;
  return isOurs && isOpen && paidMinor !== undefined && paidMinor > 0n ? paidMinor : undefined;
}
