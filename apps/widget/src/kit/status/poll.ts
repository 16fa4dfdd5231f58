/** Asks the server for the status of one deposit or withdrawal (DEP-15). */
import { isFinal, latestReport, statusOfCode } from '@opencashier/core/transaction/status';
import { createStore } from 'zustand/vanilla';
import { ClientError } from '../../api/client.ts';
import type { ReadableStore, Services } from '../session/services.tsx';
import { onPageResumed } from './page-resumed.ts';

/** Short pauses first, because most payments are settled in seconds. The last pause repeats. */
export const pollDelaysMs = [2000, 3000, 5000, 8000, 13_000] as const;
/** Pauses after a final status, because money may still come or return, and HTTP has no push. The last pause repeats. */
export const finalDelaysMs = [10_000, 15_000, 20_000, 30_000, 60_000] as const;
/** Pauses without an answer: 2^n seconds up to five, and a random part of one second. So not all widgets ask at once. */
const silenceBaseMs = 1000;
const silenceCapMs = 5000;
const silenceJitterMs = 1000;

export interface PolledReport<Report> {
  readonly report: Report | undefined;
  /** The server knows no such deposit or withdrawal of this user. */
  readonly isNotFound: boolean;
  /** The server did not answer the last question; the poll asks again. */
  readonly isOffline: boolean;
}

export interface Poll<Report> extends ReadableStore<PolledReport<Report>> {
  /** Asks at once, and starts again with short pauses, because something may have happened. */
  askNow(): void;
  stop(): void;
}

/** The deposit or withdrawal that the poll asks about. */
export interface PollSubject<Report> {
  ask(signal: AbortSignal): Promise<Report>;
  /** Calls `hint` for each push about it; answers a function that stops this. */
  onPush(hint: () => void): () => void;
}

export interface PollOptions {
  readonly delaysMs?: readonly number[];
  /** 0 to 1, for the random part of a pause. */
  readonly random?: () => number;
}

interface ReportShape {
  readonly status: number;
  /** ISO 8601, when the server wrote it. */
  readonly serverTime: string;
  /** Absent in a report about a withdrawal. */
  readonly depositId?: string;
}

/** Calls `onReport` for each report, and asks at once when the page becomes visible. The returned function also ends the poll. */
export function watchPoll<Report>(poll: Poll<Report>, onReport: () => void): () => void {
  const stopListening = poll.subscribe(onReport);
  const stopLooking = onPageResumed(poll.askNow);
  return () => {
    stopListening();
    poll.stop();
    stopLooking();
  };
}

/**
 * Asks on start, on a push, and after each pause. Once the status is final, the pauses are longer. The poll keeps asking a silent
 * server (NET-3), so the screen recovers without a tap. Short pauses follow, because much may have happened.
 */
export function createPoll<Report extends ReportShape>(
  { clock }: Pick<Services, 'clock'>,
  subject: PollSubject<Report>,
  { delaysMs = pollDelaysMs, random = Math.random }: PollOptions = {},
): Poll<Report> {
  const store = createStore<PolledReport<Report>>(() => ({ report: undefined, isNotFound: false, isOffline: false }));
  const aborter = new AbortController();
  let stopTimer: (() => void) | undefined;
  let round = 0;
  let wasOver = false;
  let unanswered = 0;
  let isAsking = false;
  let mustAskAgain = false;

  const wait = (): void => {
    if (aborter.signal.aborted) return;
    stopTimer = clock.setTimer(() => void ask(), store.getState().isOffline ? silenceMs() : pauseMs());
  };

  const pauseMs = (): number => {
    const { report } = store.getState();
    const isOver = report !== undefined && isFinal(statusOfCode(report.status));
    if (isOver !== wasOver) round = 0;
    wasOver = isOver;
    const delays = isOver ? finalDelaysMs : delaysMs;
    const delay = delays[Math.min(round, delays.length - 1)] ?? 0;
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
      const answer = await subject.ask(aborter.signal);
      const report = latestReport(store.getState().report, answer);
      store.setState({ report, isNotFound: false, isOffline: false });
    } catch (error) {
      if (aborter.signal.aborted) return;
      // An invalid id also means that nothing was found.
      const isNotFound = error instanceof ClientError && absentCodes.has(error.code);
      store.setState({ isNotFound, isOffline: !isNotFound });
    } finally {
      isAsking = false;
    }
    if (!store.getState().isOffline) unanswered = 0;
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

  // A push is only a reason to ask. The widget trusts the answer, not the push (NET-4).
  const stopPush = subject.onPush(askNow);
  askNow();
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    askNow,
    stop() {
      aborter.abort();
      stopTimer?.();
      stopPush();
    },
  };
}

const absentCodes: ReadonlySet<string> = new Set(['not-found', 'invalid-request']);
