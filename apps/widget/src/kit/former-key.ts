/** The key of a create that was refused for now. A copy of that call may still be taken, and must not become a second payment. */
import type { Clock } from '@opencashier/core/time/clock';
import { CallFailed } from '../api/client.ts';

/** Where nobody answers, the cancel is sent again after this long. */
const AGAIN_MS = 5000;

export interface FormerKey<Key, Alive> {
  /** Cancels what may still come under the key, at once and without waiting. */
  clear(key: Key): void;
  /** Whether a key is not known to be void yet. */
  isOpen(): boolean;
  /** Waits until nothing can come under the key: no other create may be sent before. Answers what has come and stays. */
  settled(signal: AbortSignal): Promise<Alive | undefined>;
}

interface FormerOptions<Key, Alive> {
  readonly clock: Clock;
  /** Cancels at the server; answers what can no longer be cancelled. @throws CallFailed when that is not known */
  readonly cancel: (key: Key) => Promise<Alive | undefined>;
  /** Told the code of each cancel that failed. */
  readonly onFailure: (code: string) => void;
}

export function createFormerKey<Key, Alive>({
  clock,
  cancel,
  onFailure,
}: FormerOptions<Key, Alive>): FormerKey<Key, Alive> {
  let open: { readonly key: Key; answer: Promise<{ readonly alive: Alive | undefined } | 'unanswered'> } | undefined;

  const ask = async (key: Key): Promise<{ readonly alive: Alive | undefined } | 'unanswered'> => {
    try {
      return { alive: await cancel(key) };
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      onFailure(error.code);
      return 'unanswered';
    }
  };

  return {
    clear(key) {
      open = { key, answer: ask(key) };
    },
    isOpen: () => open !== undefined,
    async settled(signal) {
      for (let former = open; former !== undefined; former = open) {
        const answer = await former.answer;
        signal.throwIfAborted();
        if (answer !== 'unanswered') {
          open = undefined;
          return answer.alive;
        }
        await new Promise<void>((resolve) => clock.setTimer(resolve, AGAIN_MS));
        signal.throwIfAborted();
        former.answer = ask(former.key);
      }
      return undefined;
    },
  };
}
