/** Good answers in a row of each operator's receiver at this node: they earn places of their own (SRV-5). */

/** Operators that are remembered; who is forgotten only earns the places again. */
const MOST_OPERATORS = 1_000;

export interface GoodAnswers {
  count(operatorId: string): void;
  /** The receiver failed. */
  forget(operatorId: string): void;
  /** By operator. */
  inARow(): ReadonlyMap<string, number>;
}

export function createGoodAnswers(): GoodAnswers {
  const answers = new Map<string, number>();
  return {
    count(operatorId) {
      const before = answers.get(operatorId) ?? 0;
      // Put at the end, so that the first is who has been quiet for longest.
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
