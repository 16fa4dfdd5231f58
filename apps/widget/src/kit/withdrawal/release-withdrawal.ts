/** Gives a held amount back when the user leaves without a confirmation (WD-2). */
import { withdrawalCancel } from '@opencashier/contract/api';
import { ClientError } from '../../api/client.ts';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import type { Services } from '../session/services.tsx';
import { pendingWithdrawal } from './pending-withdrawal.ts';

type ReleaseServices = Pick<Services, 'api' | 'queries' | 'metric'>;

/** Releases in progress. The next withdrawal waits for them, because it may need the same money. */
const releases = new WeakMap<ReleaseServices['api'], Promise<void>>();

/** Resolves when no release is in progress. */
export function releasesSettled({ api }: Pick<Services, 'api'>): Promise<void> {
  return releases.get(api) ?? Promise.resolve();
}

/**
 * Cancels a withdrawal that may be held, without a message. A withdrawal that cannot be cancelled was submitted or has ended.
 * Without an answer the key stays stored, so that the same intent continues under it.
 * @param after a call that must be answered first, such as the create
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
  const all = Promise.allSettled([releases.get(services.api), release()]).then(() => undefined);
  releases.set(services.api, all);
}
