/**
 * The way out of a node (SRV-9): it says that it is leaving before it takes no more, lets calls in hand end, and hurries those
 * that would take too long.
 */

export interface Draining {
  readonly isDraining: () => boolean;
  /** From now on `/ready` is red, and every answer asks its connection to close. */
  begin(): void;
  /** Remembers a call until it is answered. */
  track(abort: AbortController): () => void;
  /** Tells every call in hand, and every later one, to say now how it stands. */
  hurry(): void;
}

/** What a call is aborted with when its node cannot wait any longer. */
export class NodeIsStopping extends Error {
  override readonly name = 'NodeIsStopping';

  constructor() {
    super('The node is stopping.');
  }
}

export function createDraining(): Draining {
  const inHand = new Set<AbortController>();
  let isDraining = false;
  let isHurried = false;
  return {
    isDraining: () => isDraining,
    begin() {
      isDraining = true;
    },
    track(abort) {
      inHand.add(abort);
      if (isHurried) abort.abort(new NodeIsStopping());
      return () => inHand.delete(abort);
    },
    hurry() {
      isHurried = true;
      for (const abort of inHand) abort.abort(new NodeIsStopping());
    },
  };
}
