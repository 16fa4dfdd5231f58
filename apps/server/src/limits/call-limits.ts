/** How often one user (or, without a token, one address) may make a call in a minute, and how long a call may take. */
import type { CallName } from '@opencashier/contract/api';

export const minuteMs = 60_000;

const perMinute: Partial<Record<CallName, number>> = {
  'deposit-create': 10,
  'deposit-create-p2p': 10,
  'deposit-create-sweepstake': 10,
  'withdrawal-create': 10,
  'withdrawal-code-send': 10,
  'withdrawal-confirm': 10,
  'withdrawal-cancel': 10,
  'deposit-complete': 10,
  'deposit-cancel': 10,
  'external-deposit-continue': 10,
  'bank-get': 10,
  'session-start': 30,
  'deposit-status': 60,
  'withdrawal-status': 60,
};

const otherCallsPerMinute = 120;

export function callsPerMinute(name: CallName): number {
  return perMinute[name] ?? otherCallsPerMinute;
}

/** After this time the handler is aborted. It then has the grace time to answer by itself. Together less than the socket's 20 s. */
export const callTimeLimitMs = 15_000;
export const callGraceMs = 2_000;
/** The grace time when the node is stopping. ms. */
export const stopGraceMs = 1_000;
