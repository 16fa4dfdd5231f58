/**
 * Opens sockets in turns. After a restart every widget comes back at once, and opening a socket costs as much as many calls. So each
 * turn of the event loop opens only a few, and payments are answered between them. Operators take turns, so that one with many
 * users does not keep the others out.
 */

export interface Turns {
  /**
   * Runs `open` at once when nobody waits, else in the turn of its lane.
   * @returns false when too many wait; `open` then never runs
   */
  take(lane: string, open: () => void): boolean;
}

export interface TurnOptions {
  readonly mostOfTurn?: number;
  readonly mostWaiting?: number;
  /** For tests: runs a function in the next turn of the event loop, after what has arrived is read. */
  readonly nextTurn?: (run: () => void) => void;
}

/** About 2 ms of work. */
const mostOfTurn = 4;
/** All sockets of a full node, twice. A widget that is refused tries again later. */
const mostWaiting = 20_000;

export function createTurns(options: TurnOptions = {}): Turns {
  const { nextTurn = setImmediate } = options;
  const limits = { mostOfTurn, mostWaiting, ...options };
  // A map keeps the order of insertion. A lane that had its turn goes to the end.
  const lanes = new Map<string, (() => void)[]>();
  let waiting = 0;
  let left = limits.mostOfTurn;
  let isPlanned = false;

  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    nextTurn(run);
  };
  const run = (): void => {
    isPlanned = false;
    left = limits.mostOfTurn;
    while (left > 0 && waiting > 0) openNext();
    // The next turn gives new places, also when nobody waits now.
    if (left < limits.mostOfTurn) plan();
  };
  const openNext = (): void => {
    const [lane] = lanes;
    if (lane === undefined) return;
    const [name, opens] = lane;
    const open = opens.shift();
    lanes.delete(name);
    if (opens.length > 0) lanes.set(name, opens);
    waiting -= 1;
    left -= 1;
    open?.();
  };

  return {
    take(name, open) {
      if (waiting === 0 && left > 0) {
        left -= 1;
        plan();
        open();
        return true;
      }
      if (waiting >= limits.mostWaiting) return false;
      const opens = lanes.get(name) ?? [];
      lanes.set(name, opens);
      opens.push(open);
      waiting += 1;
      plan();
      return true;
    },
  };
}
