/**
 * Sends creates one at a time (DEP-16, WD-2). The server may still carry out a create that it refused for now, or that the user
 * has left. Such a create must not become a second payment or a second hold. So the next create waits until the earlier key is
 * void.
 *
 * One key has three names, for the three places that know it. The pending key (`pending-key.ts`) is the key of the present intent,
 * for all tabs. The sent key (`sent-key.ts`) is the last key of this tab that was sent and has no outcome. The former key (this
 * file) is the sent key of an earlier intent, until it is void.
 */
import { pause } from '@opencashier/core/time/pause';
import { ClientError } from '../../api/client.ts';
import type { EngineRunner } from '../engine/engine-runner.ts';
import type { Services } from '../session/services.tsx';
import type { Sent, SentKey } from './sent-key.ts';

/** An unanswered cancel is sent again after this time. */
const AGAIN_MS = 5000;

/** `Alive` is a payment of an earlier create that can no longer be cancelled. */
export interface FormerKey<Alive> {
  /** Cancels a possible payment under the key, at once and without waiting. */
  clear(key: Sent): void;
  /** Whether an earlier create may still be carried out, or one of the engine's `next` effects will cancel it. */
  isOpen(next: readonly { readonly type: string }[]): boolean;
  /**
   * Runs `send` once no earlier create of this tab can make a payment.
   * @param isOfOtherTab another tab sent the create; only that tab may cancel it
   * @returns the event of `send`. If an earlier create made a payment that stays, nothing is sent, and it is the event of `found`
   * @throws when the user has left during the wait, or the session is over
   */
  create<Event>(
    runner: Pick<EngineRunner<unknown, Event, never>, 'signal' | 'isDisposed'>,
    sending: Sending<Alive, Event>,
  ): Promise<Event>;
}

interface Sending<Alive, Event> {
  readonly key: Sent;
  readonly userId: string | undefined;
  readonly isOfOtherTab?: boolean;
  send(): Promise<Event>;
  found(alive: Alive): Event;
}

interface FormerOptions<Alive> {
  readonly services: Pick<Services, 'clock' | 'metric'>;
  readonly sent: SentKey;
  /** Cancels at the server. Answers what can no longer be cancelled. @throws ClientError when the outcome is not known */
  readonly cancel: (key: Sent) => Promise<Alive | undefined>;
  /** Notes the code of each cancel that failed. */
  readonly failureMetric: string;
}

/** `denied`: the session is over, so the server carries out nothing for it. */
type Answer<Alive> = { readonly alive: Alive | undefined } | 'unanswered' | 'denied';

const deniedStatuses: ReadonlySet<number> = new Set([401, 403]);

/** The new create was not sent, so its own key needs no cancel. */
const sessionOver = (): ClientError =>
  new ClientError({ kind: 'network', code: 'unauthorized', status: 0, message: 'The session is over.' });

export function createFormerKey<Alive>({
  services,
  sent,
  cancel,
  failureMetric,
}: FormerOptions<Alive>): FormerKey<Alive> {
  let open: { readonly key: Sent; answer: Promise<Answer<Alive>> } | undefined;

  const ask = async (key: Sent): Promise<Answer<Alive>> => {
    try {
      const alive = await cancel(key);
      if (alive === undefined) sent.forget(key.id);
      return { alive };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      services.metric(failureMetric, error.code);
      return deniedStatuses.has(error.status) ? 'denied' : 'unanswered';
    }
  };

  const clear = (key: Sent): void => {
    open = { key, answer: ask(key) };
  };

  /**
   * Waits until no payment can come under an earlier key. Answers a payment that came and stays.
   * @throws ClientError when the session is over. The press ends, the key stays open, and the next press asks again
   */
  const settled = async (signal: AbortSignal): Promise<Alive | undefined> => {
    let hasAsked = false;
    for (let former = open; former !== undefined; former = open) {
      const answer = await former.answer;
      signal.throwIfAborted();
      // The host may have renewed the session since an earlier press.
      if (answer === 'denied' && hasAsked) throw sessionOver();
      if (typeof answer === 'object') {
        open = undefined;
        // The payer sees this payment now.
        sent.forget(former.key.id);
        return answer.alive;
      }
      if (answer === 'unanswered') await pause(services.clock, AGAIN_MS);
      signal.throwIfAborted();
      hasAsked = true;
      former.answer = ask(former.key);
    }
    return undefined;
  };

  return {
    clear,
    isOpen: (next) => open !== undefined || next.some(({ type }) => type === 'clear-former'),
    async create(runner, { key, userId, isOfOtherTab, send, found }) {
      const left = open === undefined ? sent.former(key.id, userId) : undefined;
      if (left !== undefined) clear(left);
      if (open !== undefined) {
        const alive = await settled(runner.signal());
        if (alive !== undefined) return found(alive);
        // The user may be sending another payment already.
        if (runner.isDisposed()) throw new Error('left');
      }
      if (isOfOtherTab !== true) sent.keep(key, userId);
      return send();
    },
  };
}
