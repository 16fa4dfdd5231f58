/**
 * The outcome of a wallet's order on TON. The wallet's own transaction only proves that its seqno is spent. Whether anybody was paid, the
 * transactions say that its message caused: at the recipient, or at the two contracts that hold the jettons.
 */
import { NodeError } from '../chain/chain-source.ts';
import { rawOf, type TonIndex, type TonMessage, type TonTransaction } from '../ton/ton-index.ts';
import { movesTokens, type PaidBy, returnsRest } from './ton-payment.ts';
import type { TonSpending } from './ton-spending.ts';

/** The end of a payment. */
export interface TonEnd {
  readonly hasPaid: boolean;
  /** The last transaction of the payment. It must be as deep as a payout needs. */
  readonly last: TonTransaction;
  /** What the network kept, in nanotons, where the index says it. */
  readonly fee?: bigint | undefined;
}

/**
 * Follows a message of an order. Undefined while it is on its way.
 * @param isTransfer it transfers jettons
 * @throws NodeError where the index shows neither a payment nor the proof that there was none
 */
export async function endOf(
  index: TonIndex,
  { transaction }: TonSpending,
  { sent, isTransfer }: { readonly sent: PaidBy; readonly isTransfer: boolean },
): Promise<TonEnd | undefined> {
  const to = sent.to.toRawString();
  const out = transaction.out_msgs.find(
    ({ destination, value }) => rawOf(destination ?? '') === to && value === String(sent.value),
  );
  if (out === undefined) {
    // The wallet had too little, and skipped the message. An index that just does not show it proves nothing.
    const { skipped_actions: skipped = 0, msgs_created: created } = transaction.description.action ?? {};
    if (skipped > 0 && created === 0 && transaction.out_msgs.length === 0)
      return { hasPaid: false, last: transaction, fee: feeOf(transaction, {}) };
    throw new NodeError('The node does not show the message of an order');
  }
  const arrived = await causedBy(index, out);
  if (arrived === undefined) return undefined;
  const fee = feeOf(transaction, out);
  const most = fee && fee + sent.value;
  if (isTransfer) return endOfTransfer(index, arrived, most);
  // Coins that cannot bounce stay at the address, whatever its contract does.
  if (sent.canBounce && isReturned(arrived)) return { hasPaid: false, last: arrived, fee: keptOf(most, arrived) };
  return { hasPaid: true, last: arrived, fee };
}

/** @param most all that the transfer took along */
async function endOfTransfer(
  index: TonIndex,
  own: TonTransaction,
  most: bigint | undefined,
): Promise<TonEnd | undefined> {
  // The wallet's contract for the jetton refused, so that the tokens never left it.
  if (own.description.aborted) return { hasPaid: false, last: own, fee: keptOf(most, own) };
  const moved = own.out_msgs.find(({ message_content: content }) => movesTokens(content?.body));
  if (moved === undefined) throw new NodeError('The node does not show where tokens went');
  const arrived = await causedBy(index, moved);
  if (arrived === undefined) return undefined;
  const rest = arrived.out_msgs.find(({ message_content: content }) => returnsRest(content?.body))?.value;
  return {
    hasPaid: !arrived.description.aborted,
    last: arrived,
    fee: most && lessAtLeastNone(most, BigInt(rest ?? 0)),
  };
}

/** What did not come back of a message that a contract returned. */
function keptOf(most: bigint | undefined, { out_msgs: out }: TonTransaction): bigint | undefined {
  const back = out.find(({ bounced }) => bounced === true)?.value;
  return back ? most && lessAtLeastNone(most, BigInt(back)) : undefined;
}

/** Somebody may have sent coins to the contracts, which then return more than a transfer took along. */
const lessAtLeastNone = (most: bigint, rest: bigint): bigint => (rest < most ? most - rest : 0n);

/** Without a bounce that went through, the money stays at the address. */
const isReturned = ({ description: { aborted, bounce } }: TonTransaction): boolean => aborted && bounce?.type === 'ok';

function causedBy(index: TonIndex, { hash, destination }: TonMessage): Promise<TonTransaction | undefined> {
  if (hash === undefined || !destination) throw new NodeError('The node does not name a message');
  return index.causedBy(hash, destination);
}

const feeOf = ({ total_fees: fees }: TonTransaction, { fwd_fee: forward }: TonMessage): bigint | undefined =>
  fees === undefined ? undefined : BigInt(fees) + BigInt(forward ?? 0);
