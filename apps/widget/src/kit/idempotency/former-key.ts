/**
 * The key of a create that was refused for now, or that its person has left. The call may still be taken, and must not become a
 * second payment or a second held amount.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { ClientError } from '../../api/client.ts';
import type { Sent, SentKey } from './sent-key.ts';

/** Where nobody answers, the cancel is sent again after this long. */
const AGAIN_MS = 5000;

export interface FormerKey<Alive> {
  /** Cancels what may still come under the key, at once and without waiting. */
  clear(key: Sent): void;
  /** Whether a key is not known to be void yet. */
  isOpen(): boolean;
  /** Clears what this tab has sent under another key before, if its end is not known. Answers whether some key is not void yet. */
  isOpenBefore(id: string, userId: string | undefined): boolean;
  /** Waits until nothing can come under the key: no other create may be sent before. Answers what has come and stays. */
  settled(signal: AbortSignal): Promise<Alive | undefined>;
}

interface FormerOptions<Alive> {
  readonly clock: Clock;
  readonly sent: SentKey;
  /** Cancels at the server; answers what can no longer be cancelled. @throws ClientError when that is not known */
  readonly cancel: (key: Sent) => Promise<Alive | undefined>;
  /** Told the code of each cancel that failed. */
  readonly onFailure: (code: string) => void;
}

type Answer<Alive> = { readonly alive: Alive | undefined } | 'unanswered';

export function createFormerKey<Alive>({ clock, sent, cancel, onFailure }: FormerOptions<Alive>): FormerKey<Alive> {
  let open: { readonly key: Sent; answer: Promise<Answer<Alive>> } | undefined;

  const ask = async (key: Sent): Promise<Answer<Alive>> => {
    try {
      const alive = await cancel(key);
      if (alive === undefined) sent.forget(key.id);
      return { alive };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      onFailure(error.code);
      return 'unanswered';
    }
  };

  const clear = (key: Sent): void => {
    open = { key, answer: ask(key) };
  };

  return {
    clear,
    isOpen: () => open !== undefined,
    isOpenBefore(id, userId) {
      const left = open === undefined ? sent.former(id, userId) : undefined;
      if (left !== undefined) clear(left);
      return open !== undefined;
    },
    async settled(signal) {
      for (let former = open; former !== undefined; former = open) {
        const answer = await former.answer;
        signal.throwIfAborted();
        if (answer !== 'unanswered') {
          open = undefined;
          // What has come is shown now.
          sent.forget(former.key.id);
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
