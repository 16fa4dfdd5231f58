/** On-ramp: leads from the offers to the seller's page (DEP-14). Changes nothing itself; the seller's reports do. */
import { DomainError } from '../errors/domain-error.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { ProviderContinueResult } from '../providers/provider.ts';
import { type DepositRow, idAtProvider } from './deposit-row.ts';

/**
 * Asks the provider for the next page.
 * @throws DomainError state-conflict when the deposit no longer waits for a payment, or its provider has no next page
 */
export async function continueAtProvider(
  core: PaymentsCore,
  row: DepositRow,
  method: string | undefined,
): Promise<ProviderContinueResult> {
  const provider = await providerOf(core, row);
  if (row.state !== 'awaiting_payment' || row.providerRef === null || provider?.continue === undefined) {
    throw new DomainError('state-conflict', 'This deposit cannot be continued');
  }
  try {
    return await provider.continue({
      depositId: idAtProvider(row),
      providerRef: row.providerRef,
      ...(method !== undefined && { method }),
    });
  } catch (error) {
    core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider did not continue');
    return { error: 'provider-unreachable' };
  }
}
