/** One create call to a provider. */
import { withinTime } from '../jobs/within-time.ts';
import type { Provider, ProviderCreateResult } from '../providers/provider.ts';
import { type DepositRow, idAtProvider } from './deposit-row.ts';
import type { DepositsCore } from './deposit-writes.ts';
import { keepAttemptRequest } from './next-attempt.ts';

/**
 * Asks a provider to create the payment of a deposit. Never throws: a failure is an unknown outcome.
 * @param ms how long the cashier waits for the answer
 */
export async function askProvider(
  core: DepositsCore,
  provider: Provider,
  row: DepositRow,
  ms: number,
): Promise<ProviderCreateResult> {
  const abort = new AbortController();
  const answer = provider
    .create({
      depositId: idAtProvider(row),
      operatorId: row.operatorId,
      paymentMethod: row.paymentMethod,
      amountMinor: row.amount,
      currency: row.currency,
      country: row.country,
      fields: row.request.fields,
      returnUrl: row.request.returnUrl,
      language: row.request.language,
      ...(row.request.bank !== undefined && { bank: row.request.bank }),
      providerOptions: row.request.providerOptions ?? {},
      // A retry after a lost answer sends exactly the same request.
      keepRequest: (request) =>
        row.attemptId === null
          ? core.writes.keepRequest({ operatorId: row.operatorId, depositId: row.id, request })
          : keepAttemptRequest(core, row, request),
      // Most providers' calls end before anybody listens, and a signal is costly to make.
      get signal() {
        return abort.signal;
      },
    })
    .catch((error: unknown): ProviderCreateResult => {
      core.logger.error({ depositId: row.id, provider: row.provider, err: error }, 'provider call failed');
      return { kind: 'unknown', code: 'thrown' };
    });
  return withinTime(core.clock, ms, answer, () => {
    abort.abort();
    return { kind: 'unknown', code: 'timeout' };
  });
}
