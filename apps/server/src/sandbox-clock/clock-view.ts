/** The moves of a sandbox's clock as people and programs ask for them: they return when the time has moved. */

import type { SandboxClock } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import type { Database } from '../database/database.ts';
import { aheadAt, type ClockMove, readMoves } from './move-clock.ts';

/** @param machine the machine's clock, which is never moved */
export async function readClock(database: Database, machine: Pick<Clock, 'now'>): Promise<SandboxClock> {
  const now = machine.now();
  const aheadMs = aheadAt(await readMoves(database), now);
  return { now: new Date(now + aheadMs).toISOString(), aheadSeconds: Math.round(aheadMs / 1000) };
}

/** Carries out a move, and waits until it counts on every node: two seconds. */
export async function moved(
  database: Database,
  machine: Clock,
  move: (database: Database) => Promise<ClockMove>,
): Promise<SandboxClock> {
  const { since } = await move(database);
  // A timer may end a millisecond early, and a move has parts of a millisecond.
  while (machine.now() < since) await pause(machine, Math.ceil(since - machine.now()));
  return readClock(database, machine);
}
