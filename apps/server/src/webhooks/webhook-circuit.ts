/**
 * The circuit breaker of an operator's webhook address: after some failures in a row nothing is sent for a while, then one
 * delivery tries it, and the first good answer ends the pause. All nodes share it.
 */
import type { Transaction } from '../database/database.ts';

/** From so many failures in a row on the address gets one webhook at a time, after a pause. */
export const TRUSTED_FAILURES = 4;
const FIRST_PAUSE_S = 10;
const LONGEST_PAUSE_S = 300;

/** Seconds without any webhook after so many failures in a row. */
export function pauseAfter(failures: number): number {
  if (failures < TRUSTED_FAILURES) return 0;
  return Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** Math.min(failures - TRUSTED_FAILURES, 10));
}

export interface CircuitOutcome {
  readonly operatorId: string;
  readonly url: string;
}

/** `paused_until` is set at each failure, so that it tells when the last one was. */
const goesOn = 'circuit.address = excluded.address and circuit.paused_until > now() - make_interval(secs => $3)';

/** The address answered: whatever was held against it is forgotten. */
export async function closeCircuit(transaction: Transaction, { operatorId }: CircuitOutcome): Promise<void> {
  await transaction.query({
    name: 'webhook-circuit-close',
    text: 'delete from webhook_circuit where operator_id = $1',
    values: [operatorId],
  });
}

/**
 * Counts a failure of the address and pauses it where there were too many.
 * @param rule.spread about 1: addresses that failed together do not come back together
 * @param rule.forgottenAfterS seconds after which a failure counts no more: no webhook was tried again meanwhile
 * @returns for how many seconds it has been failing
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
  if (circuit === undefined) throw new Error('A circuit without a row');
  await transaction.query({
    name: 'webhook-circuit-pause',
    text: 'update webhook_circuit set paused_until = now() + make_interval(secs => $2) where operator_id = $1',
    values: [operatorId, pauseAfter(circuit.failures) * spread],
  });
  return circuit.failingS;
}
