/** Counts good answers in a row of each operator's receiver at this node. They earn the operator more places (SRV-5). */

/** Operators in memory, at most. A forgotten operator must earn its places again. */
const MOST_OPERATORS = 1_000;

export interface GoodAnswers {
  count(operatorId: string): void;
  /** The receiver failed. */
  forget(operatorId: string): void;
  /** Good answers in a row, by operator. */
  inARow(): ReadonlyMap<string, number>;
}

export function createGoodAnswers(): GoodAnswers {
  const answers = new Map<string, number>();
  return {
    count(operatorId) {
      const before = answers.get(operatorId) ?? 0;
      // The map keeps the order of insertion. Insert at the end, so that its first operator is the one silent for longest.
      answers.delete(operatorId);
      answers.set(operatorId, before + 1);
      const [quietest] = answers.keys();
      if (answers.size > MOST_OPERATORS && quietest !== undefined) answers.delete(quietest);
    },
    forget(operatorId) {
      answers.delete(operatorId);
    },
    inARow: () => answers,
  };
}
