import type { CallAbort } from './call-abort.ts';

/**
 * How a node stops (SRV-9). It reports "not ready" while it still takes calls, then lets the calls in hand end, and at last
 * aborts the calls that take too long.
 */

export interface Draining {
  readonly isDraining: () => boolean;
  /** From now on `/ready` answers 503, and every answer asks its connection to close. */
  begin(): void;
  /** Notes a call as in hand, until the returned function is called. */
  track(abort: CallAbort): () => void;
  /** Aborts every call in hand and every later call, so that each answers at once with its state. */
  abortCalls(): void;
}

/** The reason with which a call is aborted when its node cannot wait any longer. */
export class NodeIsStopping extends Error {
  override readonly name = 'NodeIsStopping';

  constructor() {
    super('The node is stopping.');
  }
}

export function createDraining(): Draining {
  const inHand = new Set<CallAbort>();
  let isDraining = false;
  let isAborting = false;
  return {
    isDraining: () => isDraining,
    begin() {
      isDraining = true;
    },
    track(abort) {
      inHand.add(abort);
      if (isAborting) abort.abort(new NodeIsStopping());
      return () => inHand.delete(abort);
    },
    abortCalls() {
      isAborting = true;
      for (const abort of inHand) abort.abort(new NodeIsStopping());
    },
  };
}
