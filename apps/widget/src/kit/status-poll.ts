/** The truth about one deposit, asked for again and again while it is pending (DEP-15). */
import { depositStatus, type Transaction } from '@opencashier/contract/api';
import { isFinal, latestReport, statusOfCode } from '@opencashier/core/transaction/status';
import { CallFailed } from '../api/client.ts';
import type { ReadableStore, Services } from './services.tsx';

/** Soon at first, since most payments are settled in seconds; the last one repeats. */
export const pollDelaysMs = [2000, 3000, 5000, 8000, 13_000] as const;
/** While nobody answers: 2^n seconds up to five, and up to one of chance, so that not all widgets come back at once. */
const silenceBaseMs = 1000;
const silenceCapMs = 5000;
const silenceJitterMs = 1000;

export interface DepositReport {
  readonly report: Transaction | undefined;
  /** The server knows no such deposit of this user. */
  readonly isNotFound: boolean;
  /** The last question went unanswered; it is asked again. */
  readonly isOffline: boolean;
}

export interface StatusPoll extends ReadableStore<DepositReport> {
  /** Asks at once, and starts over with short pauses: something may have happened. */
  askNow(): void;
  stop(): void;
}

type PollServices = Pick<Services, 'api' | 'clock'>;

export interface PollOptions {
  readonly delaysMs?: readonly number[];
  /** 0 to 1, for the part of chance. */
  readonly random?: () => number;
}

/**
 * Asks on start, on a push about this deposit, and with pauses, the last of which repeats, until the status is final. A payment
 * that waits is reason enough to connect again (NET-3): a silence is broken soon after the server is back, without anybody's
 * doing, and is followed by short pauses, since much may have happened meanwhile.
 */
export function createStatusPoll(
  { api, clock }: PollServices,
  depositId: string,
  paymentMethod: string | undefined,
  { delaysMs = pollDelaysMs, random = Math.random }: PollOptions = {},
): StatusPoll {
  const listeners = new Set<() => void>();
  const aborter = new AbortController();
  let current: DepositReport = { report: undefined, isNotFound: false, isOffline: false };
  let stopTimer: (() => void) | undefined;
  let round = 0;
  let unanswered = 0;
  let isAsking = false;
  let mustAskAgain = false;

  const set = (next: DepositReport): void => {
    current = next;
    for (const listener of listeners) listener();
  };

  const wait = (): void => {
    const { report } = current;
    if (aborter.signal.aborted || (report && isFinal(statusOfCode(report.status)))) return;
    stopTimer = clock.setTimer(() => void ask(), current.isOffline ? silenceMs() : pauseMs());
  };

  const pauseMs = (): number => {
    const delay = delaysMs[Math.min(round, delaysMs.length - 1)] ?? 0;
    round += 1;
    return delay;
  };

  const silenceMs = (): number => {
    round = 0;
    unanswered += 1;
    return Math.min(silenceCapMs, silenceBaseMs * 2 ** (unanswered - 1)) + silenceJitterMs * random();
  };

  const ask = async (): Promise<void> => {
    if (isAsking) {
      mustAskAgain = true;
      return;
    }
    isAsking = true;
    stopTimer?.();
    try {
      const request = { depositId, ...(paymentMethod === undefined ? {} : { paymentMethod }) };
      const answer = await api.call(depositStatus, request, { signal: aborter.signal });
      set({ report: latestReport(current.report, answer), isNotFound: false, isOffline: false });
    } catch (error) {
      if (aborter.signal.aborted) return;
      const isNotFound = error instanceof CallFailed && error.code === 'not-found';
      set({ report: current.report, isNotFound, isOffline: !isNotFound });
    } finally {
      isAsking = false;
    }
    if (!current.isOffline) unanswered = 0;
    if (mustAskAgain) {
      mustAskAgain = false;
      await ask();
      return;
    }
    wait();
  };

  const askNow = (): void => {
    round = 0;
    void ask();
  };

  // A push only says that it is worth asking: the answer, not the push, is believed (NET-4).
  const stopPush = api.onPush('deposit.status', (pushed) => {
    if (pushed.depositId === depositId) askNow();
  });
  askNow();
  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    askNow,
    stop() {
      aborter.abort();
      stopTimer?.();
      stopPush();
    },
  };
}
