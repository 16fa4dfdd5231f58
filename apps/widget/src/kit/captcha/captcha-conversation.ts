/**
 * One conversation with the captcha frame (ERR-5): when to start it, when to try again, when to give up. The protocol is in
 * `contract/host/captcha-messages.ts`. No DOM here; `captcha-sheet.tsx` draws it.
 */
import type { CaptchaErrorKind, CaptchaFrameMessage, CaptchaStart } from '@opencashier/contract/host';
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** If the frame shows nothing to solve after this time, the captcha has failed (§9). */
export const captchaTimeoutMs = 30_000;
/** How often a network failure is retried, each time after a longer pause (§8). */
export const captchaRetries = 4;
const retryBaseMs = 1000;
const retryJitterMs = 1000;

/** Why there is no result: an error of the frame, `closed` by the user, or no answer in time. */
export type CaptchaFailureReason = CaptchaErrorKind | 'closed' | 'timeout';

export type CaptchaOutcome =
  | { readonly kind: 'solved'; readonly values: CaptchaValues }
  | { readonly kind: 'failed'; readonly reason: CaptchaFailureReason };

/** The four values of the create call, as the vendor gave them. */
export type CaptchaValues = Omit<Extract<CaptchaFrameMessage, { messageType: 'captcha:success' }>, 'messageType'>;

export interface ConversationPorts {
  readonly clock: Clock;
  /** 0 to 1, for the random part of a pause. */
  readonly random: () => number;
  readonly captchaId: string;
  readonly language: string;
  readonly post: (message: CaptchaStart) => void;
  /** Whether the captcha can be solved now. Until then the sheet shows a placeholder. */
  readonly onView: (isShown: boolean) => void;
  /** Called once; the frame is to be removed. */
  readonly onEnd: (outcome: CaptchaOutcome) => void;
}

export interface CaptchaConversation {
  /** A message of the frame. The caller has checked its source. */
  hear(message: CaptchaFrameMessage): void;
  /** The user closed the sheet. */
  close(): void;
  /** Ends without an outcome. */
  stop(): void;
}

/** How long to wait before the next try, counted from 0: 2^n seconds and up to one random second (§9). */
export function captchaRetryDelayMs(failed: number, random: number): number {
  return retryBaseMs * 2 ** failed + Math.round(retryJitterMs * random);
}

/** Begins with the creation of the frame: the time limit runs from here. */
export function startConversation(ports: ConversationPorts): CaptchaConversation {
  const { clock, random, captchaId, language } = ports;
  let hasEnded = false;
  let failed = 0;
  let timer: Cancel = () => {};

  const end = (outcome: CaptchaOutcome): void => {
    if (hasEnded) return;
    stop();
    ports.onEnd(outcome);
  };
  const stop = (): void => {
    hasEnded = true;
    timer();
  };
  const limit = (): void => {
    timer();
    timer = clock.setTimer(() => end({ kind: 'failed', reason: 'timeout' }), captchaTimeoutMs);
  };
  const start = (): void => {
    limit();
    ports.post({ messageType: 'captcha:start', captchaId, language });
  };
  const fail = (reason: CaptchaErrorKind): void => {
    const isNetwork = reason === 'network' || reason === 'script';
    if (!isNetwork || failed >= captchaRetries) {
      end({ kind: 'failed', reason });
      return;
    }
    ports.onView(false);
    timer();
    timer = clock.setTimer(start, captchaRetryDelayMs(failed, random()));
    failed += 1;
  };

  limit();
  return {
    hear(message) {
      if (hasEnded) return;
      switch (message.messageType) {
        case 'captcha:ready':
          start();
          break;
        case 'captcha:shown':
          timer();
          ports.onView(true);
          break;
        case 'captcha:success': {
          const { messageType: _, ...values } = message;
          end({ kind: 'solved', values });
          break;
        }
        case 'captcha:closed':
          end({ kind: 'failed', reason: 'closed' });
          break;
        case 'captcha:error':
          fail(message.kind);
          break;
      }
    },
    close: () => end({ kind: 'failed', reason: 'closed' }),
    stop,
  };
}
