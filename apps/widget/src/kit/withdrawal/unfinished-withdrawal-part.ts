import { lazyPart } from '../session/lazily.ts';

/** The unfinished withdrawal at the foot of a list. It needs what forms need, and a list does not wait for that. */
export const UnfinishedWithdrawal = lazyPart(
  async () => (await import('./unfinished-withdrawal.tsx')).UnfinishedWithdrawal,
);
