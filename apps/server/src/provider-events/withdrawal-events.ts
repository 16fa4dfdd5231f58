/** The store of provider events about withdrawals. Each event is stored once. */
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import { isStorableText } from '../database/storable-text.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';
import { createEventStore, type EventJson } from './event-store.ts';

export const withdrawalEvents = createEventStore<WithdrawalReport>({
  table: 'withdrawal_event',
  idColumn: 'withdrawal_id',
  factColumns: 'reported, paid, currency',
  factsOfBody: `body ->> 'outcome', (body ->> 'paidMinor')::numeric, body ->> 'currency'`,
  idOf: ({ withdrawalId }) => withdrawalId,
  toJson,
  fromJson: ({ paidMinor, ...rest }) => (paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) }),
});

function toJson(event: WithdrawalReport): EventJson<WithdrawalReport> {
  const { provider, outcome, eventId, at, providerRef, withdrawalId, paidMinor, currency, reason, cause } = event;
  const { connectionId, refundId } = event;
  const message = declineMessage(event.message);
  return {
    provider,
    outcome,
    eventId,
    at,
    ...(providerRef !== undefined && { providerRef }),
    ...(withdrawalId !== undefined && { withdrawalId }),
    ...(paidMinor !== undefined && { paidMinor: paidMinor.toString() }),
    ...(currency !== undefined && { currency }),
    ...(reason !== undefined && isStorableText(reason) && { reason }),
    ...(connectionId !== undefined && { connectionId }),
    ...(refundId !== undefined && { refundId }),
    ...(cause !== undefined && { cause }),
    ...(message !== undefined && { message }),
  };
}
