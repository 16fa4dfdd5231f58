/** Handlers of a sandbox's clock. One time serves all operators, so only an operator that has the sandbox for itself may move it. */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { moved, readClock } from '../../sandbox-clock/clock-view.ts';
import { advanceClock, resetClock } from '../../sandbox-clock/move-clock.ts';
import type { Handlers } from '../register-endpoint.ts';

/** @param machine the machine's clock, which is never moved */
export function clockHandlers(database: Database, machine: Clock): Handlers<typeof operatorEndpoints.sandboxClock> {
  return {
    readSandboxClock: () => readClock(database, machine),
    async advanceSandboxClock({ operatorId, body: { seconds } }) {
      await requireAlone(database, operatorId);
      return moved(database, machine, (of) => advanceClock(of, seconds));
    },
    async resetSandboxClock({ operatorId }) {
      await requireAlone(database, operatorId);
      return moved(database, machine, resetClock);
    },
  };
}

/** @throws DomainError state-conflict when another operator has a valid key */
async function requireAlone(database: Database, operatorId: string): Promise<void> {
  const others = await database.query({
    text: `select from operator_api_key where operator_id <> $1 and (revoked_at is null or revoked_at > now()) limit 1`,
    values: [operatorId],
  });
  if (others.length === 0) return;
  throw new DomainError(
    'state-conflict',
    'The sandbox has other operators, and one time serves all. Run `opencashier clock advance` on its machine.',
  );
}
