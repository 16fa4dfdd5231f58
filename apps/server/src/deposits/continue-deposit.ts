/** On-ramp: from the offers on to the seller's page (DEP-14). Nothing moves by it: the seller's reports do that. */
import { DomainError } from '../errors/domain-error.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import type { ProviderContinueResult } from '../providers/provider.ts';
import type { DepositRow } from './deposit-row.ts';

/** @throws DomainError state-conflict when the deposit is no longer waiting, or its provider has no way on */
export async function continueAtProvider(
  core: PaymentsCore,
  row: DepositRow,
  method: string | undefined,
): Promise<ProviderContinueResult> {
  const provider = core.providers.get(row.provider);
  if (row.state !== 'awaiting_payment' || row.providerRef === null || provider?.continue === undefined) {
    throw new DomainError('state-conflict', 'This deposit cannot go on');
  }
  try {
    return await provider.continue({
      depositId: row.id,
      providerRef: row.providerRef,
      ...(method !== undefined && { method }),
    });
  } catch (error) {
    core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider did not continue');
    return { error: 'provider-unreachable' };
  }
}
