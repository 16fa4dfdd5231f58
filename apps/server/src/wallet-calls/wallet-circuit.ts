/**
 * The circuit breaker of operators' wallets, on one node. After some failures in a row nothing is sent to a wallet for a while. Then one
 * call is sent as a test, and its answer ends the pause.
 *
 * It is not the circuit of webhooks, which counts in the database. Users wait for a wallet, so that its circuit must cost no query.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { pauseAfter } from '../webhooks/webhook-circuit.ts';

export interface WalletCircuit {
  /**
   * Asks for a place to send a call. Undefined: the caller must end the call with `answered` or `failed`.
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
  /** True: the test call is on its way. */
  readonly isTested: boolean;
}

/** The test call of a paused wallet may take this long. ms. */
const TEST_MS = 20_000;
/** Operators whose failures are kept. More than that fail only in an outage of this node's network. */
const MOST_KEPT = 10_000;

export function createWalletCircuit(clock: Pick<Clock, 'now'>): WalletCircuit {
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
      // Calls that were sent together fail together. Only those before the pause and the test call lengthen it.
      if (at(operatorId, address)?.isTested === false && pauseLeft(operatorId, address) !== undefined) return;
      const failures = (at(operatorId, address)?.failures ?? 0) + 1;
      if (failing.size >= MOST_KEPT && !failing.has(operatorId)) return;
      const pausedUntil = clock.now() + pauseAfter(failures) * 1000;
      failing.set(operatorId, { address, failures, pausedUntil, isTested: false });
    },
  };
}
