/**
 * The circuit breaker of operators' own systems, on one node. After some failures in a row nothing is sent to an address for a while.
 * Then one question is sent as a test, and its answer ends the pause.
 *
 * It is not the circuit of webhooks, which counts in the database. Users wait for an answer, so that this circuit must cost no query.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { pauseAfter } from '../webhooks/webhook-circuit.ts';

export interface QuestionCircuit {
  /**
   * Asks for a place to send a question. Undefined: the caller must end the question with `answered` or `failed`.
   * @returns the seconds for which nothing may be sent
   */
  pausedFor(operatorId: string, address: string): number | undefined;
  /**
   * The seconds for which nothing may be sent, without taking the place of the test call. For balances: each screen asks for one, within
   * a short limit. So a balance ends a pause when it is answered, and its failure counts for nothing.
   */
  pauseLeft(operatorId: string, address: string): number | undefined;
  answered(operatorId: string): void;
  failed(operatorId: string, address: string): void;
}

interface Failing {
  readonly address: string;
  readonly failures: number;
  readonly pausedUntil: number;
  /** True: the test is on its way. */
  readonly isTested: boolean;
}

/** The test of a paused address may take this long. ms. */
const TEST_MS = 20_000;
/** Operators whose failures are kept. More than that fail only in an outage of this node's network. */
const MOST_KEPT = 10_000;

export function createQuestionCircuit(clock: Pick<Clock, 'now'>): QuestionCircuit {
  const failing = new Map<string, Failing>();
  const at = (operatorId: string, address: string): Failing | undefined => {
    const known = failing.get(operatorId);
    return known?.address === address ? known : undefined;
  };
  const pauseLeft = (operatorId: string, address: string): number | undefined => {
    const known = at(operatorId, address);
    if (known === undefined || pauseAfter(known.failures) === 0) return undefined;
    const leftMs = known.pausedUntil - clock.now();
    return leftMs > 0 ? Math.ceil(leftMs / 1000) : undefined;
  };
  return {
    pauseLeft,
    pausedFor(operatorId, address) {
      const left = pauseLeft(operatorId, address);
      if (left !== undefined) return left;
      const known = at(operatorId, address);
      if (known === undefined || pauseAfter(known.failures) === 0) return undefined;
      failing.set(operatorId, { ...known, pausedUntil: clock.now() + TEST_MS, isTested: true });
      return undefined;
    },
    answered(operatorId) {
      failing.delete(operatorId);
    },
    failed(operatorId, address) {
      // Questions that were sent together fail together. Only those before the pause and the test lengthen it.
      if (at(operatorId, address)?.isTested === false && pauseLeft(operatorId, address) !== undefined) return;
      const failures = (at(operatorId, address)?.failures ?? 0) + 1;
      if (failing.size >= MOST_KEPT && !failing.has(operatorId)) return;
      const pausedUntil = clock.now() + pauseAfter(failures) * 1000;
      failing.set(operatorId, { address, failures, pausedUntil, isTested: false });
    },
  };
}
