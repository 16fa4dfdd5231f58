/** The time of a sandbox on one node: the machine's, and how far the database says that the clock is ahead. */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database/database.ts';
import { aheadAt, type ClockMove, readMoves } from './move-clock.ts';

/** ms. Several looks fit between a move and its effect. */
const LOOK_MS = 500;

export interface FollowedClock extends Clock {
  /** Runs after each move, when more may be due. Timers that wait keep their delays. */
  onMove(run: () => void): void;
  stop(): void;
}

/** @param machine gives the time and the timers */
export async function followClock(
  database: Queryable,
  machine: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedClock> {
  const listeners = new Set<() => void>();
  let moves: readonly ClockMove[] = await readMoves(database);
  let isLooking = false;
  let cancelMove: Cancel = () => undefined;

  const notify = (): void => {
    for (const run of listeners) run();
  };
  const look = async (): Promise<void> => {
    const known = moves.at(-1)?.since ?? 0;
    moves = await readMoves(database);
    const newest = moves.at(-1)?.since ?? 0;
    if (newest === known) return;
    cancelMove();
    cancelMove = machine.setTimer(notify, newest - machine.now());
  };
  const cancel = machine.setRepeating(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(onError)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);

  return {
    setTimer: machine.setTimer,
    setRepeating: machine.setRepeating,
    now() {
      const now = machine.now();
      return now + aheadAt(moves, now);
    },
    onMove: (run) => void listeners.add(run),
    stop() {
      cancel();
      cancelMove();
    },
  };
}
