/** Reports about withdrawals, once per fact. */
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import { isStorableText } from '../database/storable-text.ts';
import type { WithdrawalEvidence } from '../providers/withdrawal-provider.ts';
import { createEvidenceStore, type EvidenceJson } from './evidence-store.ts';

export const withdrawalEvidence = createEvidenceStore<WithdrawalEvidence>({
  table: 'withdrawal_evidence',
  paymentId: 'withdrawal_id',
  idOf: ({ withdrawalId }) => withdrawalId,
  toJson,
  fromJson: ({ paidMinor, ...rest }) => (paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) }),
});

function toJson(evidence: WithdrawalEvidence): EvidenceJson<WithdrawalEvidence> {
  const { provider, outcome, eventId, at, providerRef, withdrawalId, paidMinor, currency, reason, cause } = evidence;
  const message = declineMessage(evidence.message);
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
    ...(cause !== undefined && { cause }),
    ...(message !== undefined && { message }),
  };
}
