/** The store of provider events about deposits. Each event is stored once. */
import type { ChainReport } from '@opencashier/core/payment/report';
import { isStorableText } from '../database/storable-text.ts';
import type { DepositReport } from '../providers/provider.ts';
import { createEventStore, type EventJson } from './event-store.ts';

export const depositEvents = createEventStore<DepositReport>({
  table: 'deposit_event',
  idColumn: 'deposit_id',
  factColumns: 'reported, paid, currency, txid',
  factsOfBody: `body ->> 'outcome', (body ->> 'paidMinor')::numeric, body ->> 'currency', body #>> '{chain,txid}'`,
  idOf: ({ depositId }) => depositId,
  toJson,
  fromJson: ({ paidMinor, asked, ...rest }) => ({
    ...rest,
    ...(paidMinor !== undefined && { paidMinor: BigInt(paidMinor) }),
    ...(asked !== undefined && { asked: { minor: BigInt(asked.minor), currency: asked.currency } }),
  }),
});

function toJson(event: DepositReport): EventJson<DepositReport> {
  const { provider, providerRef, depositId, outcome, paidMinor, currency, reason, eventId, at, remoteStatus } = event;
  const { chain, unassigned, refundId, asked, contradiction, part, operatorId, connectionId, cause } = event;
  return {
    provider,
    providerRef,
    outcome,
    eventId,
    at,
    ...(depositId !== undefined && { depositId }),
    ...(paidMinor !== undefined && { paidMinor: paidMinor.toString() }),
    ...(currency !== undefined && { currency }),
    ...(reason !== undefined && isStorableText(reason) && { reason }),
    ...(remoteStatus !== undefined && isStorableText(remoteStatus) && { remoteStatus }),
    ...(chain !== undefined && isChainStorable(chain) && { chain: inOneOrder(chain) }),
    ...(unassigned !== undefined && { unassigned }),
    ...(refundId !== undefined && { refundId }),
    ...(asked !== undefined && { asked: { minor: asked.minor.toString(), currency: asked.currency } }),
    ...(contradiction !== undefined && { contradiction }),
    ...(part !== undefined && { part }),
    ...(operatorId !== undefined && isStorableText(operatorId) && { operatorId }),
    ...(connectionId !== undefined && { connectionId }),
    ...(cause !== undefined && { cause }),
  };
}

function isChainStorable({ txid, blockchain, cryptoCurrency }: ChainReport): boolean {
  return isStorableText(txid + blockchain + cryptoCurrency);
}

/** Sorts the keys. The database returns JSON keys in its own order, but a retried event must keep its hash. */
function inOneOrder(chain: ChainReport): ChainReport {
  const { txid, blockchain, cryptoCurrency, confirmations, requiredConfirmations } = chain;
  return { txid, blockchain, cryptoCurrency, confirmations, requiredConfirmations };
}
