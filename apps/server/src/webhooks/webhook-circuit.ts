/**
 * The circuit breaker of an operator's webhook address. After some failures in a row no node sends anything there for a while. Then
 * one delivery is sent as a test. The first good answer ends the pause.
 */
import type { Transaction } from '../database/database.ts';

/** From this many failures in a row on, the address is paused and then gets one webhook at a time. */
export const TRUSTED_FAILURES = 4;
const FIRST_PAUSE_S = 10;
const LONGEST_PAUSE_S = 300;

/** The seconds for which nothing is sent after `failures` failures in a row. */
export function pauseAfter(failures: number): number {
  if (failures < TRUSTED_FAILURES) return 0;
  return Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** Math.min(failures - TRUSTED_FAILURES, 10));
}

export interface CircuitOutcome {
  readonly operatorId: string;
  readonly url: string;
}

/** The address is the same and its last failure is recent. Each failure sets `paused_until`, so it tells when the last one was. */
const goesOn = 'circuit.address = excluded.address and circuit.paused_until > now() - make_interval(secs => $3)';

/** Deletes the failures of an address that has answered. */
export async function closeCircuit(transaction: Transaction, { operatorId }: CircuitOutcome): Promise<void> {
  await transaction.query({
    name: 'webhook-circuit-close',
    text: 'delete from webhook_circuit where operator_id = $1',
    values: [operatorId],
  });
}

/**
 * Counts a failure of the address, and pauses the address after too many.
 * @param rule.spread random factor of the pause, about 1, so that addresses that failed together are not called together again
 * @param rule.forgottenAfterS seconds after which a failure no longer counts, because no webhook was sent since
 * @returns the seconds for which the address has been failing
 */
export async function countFailure(
  transaction: Transaction,
  { operatorId, url }: CircuitOutcome,
  { spread, forgottenAfterS }: { readonly spread: number; readonly forgottenAfterS: number },
): Promise<number> {
  const [circuit] = await transaction.query<{ failures: number; failingS: number }>({
    name: 'webhook-circuit-count',
    text: `insert into webhook_circuit as circuit (operator_id, address, failures) values ($1, $2, 1)
      on conflict (operator_id) do update set address = excluded.address,
        failures = case when ${goesOn} then circuit.failures + 1 else 1 end,
        failing_since = case when ${goesOn} then circuit.failing_since else now() end
      returning failures, extract(epoch from now() - failing_since)::float8 as "failingS"`,
    values: [operatorId, url, forgottenAfterS],
  });
  if (circuit === undefined) throw new Error('The failure of a webhook address was counted but not returned.');
  await transaction.query({
    name: 'webhook-circuit-pause',
    text: 'update webhook_circuit set paused_until = now() + make_interval(secs => $2) where operator_id = $1',
    values: [operatorId, pauseAfter(circuit.failures) * spread],
  });
  return circuit.failingS;
}
