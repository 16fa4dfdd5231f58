/**
 * Sends creates one at a time (DEP-16, WD-2). A create that was refused for now, or that its person has left, may still be carried
 * out. It must not become a second payment or a second held amount, so the next create waits until the earlier key is void.
 */
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import type { Clock } from '@opencashier/core/time/clock';
import { ClientError } from '../../api/client.ts';
import { callFailureOf } from '../engine/call-failure.ts';
import type { EngineRunner } from '../engine/engine-runner.ts';
import type { Sent, SentKey } from './sent-key.ts';

/** A cancel that nobody has answered is sent again after this time. */
const AGAIN_MS = 5000;

/** `Alive` is a payment of an earlier create that can no longer be cancelled. */
export interface FormerKey<Alive> {
  /** Cancels what may still come under the key, at once and without waiting. */
  clear(key: Sent): void;
  /** Whether an earlier create may still come, or will be cancelled by one of the `next` effects of an engine. */
  isOpen(next: readonly { readonly type: string }[]): boolean;
  /**
   * Sends a create once no earlier create of this tab can make a payment. Answers the event that `then` makes of the outcome.
   * @throws the abort's reason when the runner is aborted during the wait
   */
  create<Answer, Event>(key: Sent, userId: string | undefined, then: CreateSteps<Alive, Answer, Event>): Promise<Event>;
}

type Runner = Pick<EngineRunner<unknown, never, never>, 'signal' | 'isDisposed'>;

interface CreateSteps<Alive, Answer, Event> {
  readonly runner: Runner;
  /** Another tab makes this payment: only that tab may cancel it. */
  readonly isOfOtherTab?: boolean;
  send(): Promise<Answer>;
  answered(answer: Answer): Event;
  /** An earlier create has made a payment that stays, so this create was not sent. */
  found(alive: Alive): Event;
  failed(failure: CallFailure): Event;
}

interface FormerOptions<Alive> {
  readonly clock: Clock;
  readonly sent: SentKey;
  /** Cancels at the server. Answers what can no longer be cancelled. @throws ClientError when the outcome is not known */
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

  /** Waits until nothing can come under an earlier key. Answers what has come and stays. */
  const settled = async (signal: AbortSignal): Promise<Alive | undefined> => {
    for (let former = open; former !== undefined; former = open) {
      const answer = await former.answer;
      signal.throwIfAborted();
      if (answer !== 'unanswered') {
        open = undefined;
        // The payer sees this payment now.
        sent.forget(former.key.id);
        return answer.alive;
      }
      await new Promise<void>((resolve) => clock.setTimer(resolve, AGAIN_MS));
      signal.throwIfAborted();
      former.answer = ask(former.key);
    }
    return undefined;
  };

  return {
    clear,
    isOpen: (next) => open !== undefined || next.some(({ type }) => type === 'clear-former'),
    async create(key, userId, then) {
      const isRepeat = sent.has(key.id);
      const left = open === undefined ? sent.former(key.id, userId) : undefined;
      if (left !== undefined) clear(left);
      if (open !== undefined) {
        const alive = await settled(then.runner.signal());
        if (alive !== undefined) return then.found(alive);
        // The person has left, and may be sending another payment already.
        if (then.runner.isDisposed()) return then.failed({ isUnsent: true });
      }
      if (then.isOfOtherTab !== true) sent.keep(key, userId);
      try {
        return then.answered(await then.send());
      } catch (error) {
        return then.failed(callFailureOf(error, isRepeat));
      }
    },
  };
}
