/** Gives a held amount back when the person leaves without a confirmation (WD-2). */
import { withdrawalCancel } from '@opencashier/contract/api';
import { ClientError } from '../../api/client.ts';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import type { Services } from '../session/services.tsx';
import { pendingWithdrawal } from './pending-withdrawal.ts';

type ReleaseServices = Pick<Services, 'api' | 'queries' | 'metric'>;

/** Amounts that are being given back: the next withdrawal waits, because it may need the same money. */
const underWay = new WeakMap<ReleaseServices['api'], Promise<void>>();

/** Settles when nothing is being given back any more. */
export function releasesSettled({ api }: Pick<Services, 'api'>): Promise<void> {
  return underWay.get(api) ?? Promise.resolve();
}

/**
 * Cancels a withdrawal that may be held, without a message. A withdrawal that cannot be cancelled was submitted or has ended.
 * Without an answer the key stays stored, so that the same intent continues under it.
 * @param after what must have been answered first, such as the create call
 */
export function releaseWithdrawal(services: ReleaseServices, withdrawalId: string, after?: Promise<unknown>): void {
  const release = async (): Promise<void> => {
    await Promise.allSettled([after]);
    try {
      await services.api.call(withdrawalCancel, { withdrawalId });
      pendingWithdrawal.forget(withdrawalId);
      sentWithdrawal.forget(withdrawalId);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      services.metric('withdrawal.release-failed', error.code);
    }
    void services.queries.invalidateQueries({ queryKey: ['methods'] });
  };
  const all = Promise.allSettled([underWay.get(services.api), release()]).then(() => undefined);
  underWay.set(services.api, all);
}
