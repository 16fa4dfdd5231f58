/** Runs work of an operator in one of its places. Undefined: all were taken, so nothing was run. */
type InPlace = <Result>(operatorId: string, work: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * Limits what this node does for one operator at a time, so that a system that hangs holds up only its own users. Nobody waits for a place.
 * @param most places of each operator
 */
export function createPlaces(most: number): InPlace {
  const taken = new Map<string, number>();
  return async (operatorId, work) => {
    const places = taken.get(operatorId) ?? 0;
    if (places >= most) return undefined;
    taken.set(operatorId, places + 1);
    try {
      return await work();
    } finally {
      const left = (taken.get(operatorId) ?? 1) - 1;
      if (left === 0) taken.delete(operatorId);
      else taken.set(operatorId, left);
    }
  };
}
