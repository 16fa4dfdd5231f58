/**
 * A database whose transactions can leave log lines and count facts for the metrics. Both are written after the commit, so that neither
 * is about a rollback. If the answer to a commit is lost, its facts are not counted.
 */
import type { Database, MeasuredFact } from '../database/database.ts';

interface Note {
  readonly fields: object;
  readonly message: string;
}

interface NotedPorts {
  readonly logger: { info(fields: object, message: string): void };
  /** Absent: nothing is counted. */
  readonly measure?: (fact: MeasuredFact) => void;
}

export function notedDatabase(database: Database, { logger, measure = () => undefined }: NotedPorts): Database {
  return {
    kind: database.kind,
    ...(database.poolUse && { poolUse: () => database.poolUse?.() }),
    query: (statement) => database.query(statement),
    note: (fields, message) => logger.info(fields, message),
    measure,
    async transaction(work) {
      let notes: Note[] = [];
      let facts: MeasuredFact[] = [];
      const result = await database.transaction((transaction) => {
        // A transaction that is run again leaves its lines and facts again.
        notes = [];
        facts = [];
        return work({
          ...transaction,
          note: (fields, message) => notes.push({ fields, message }),
          measure: (fact) => facts.push(fact),
        });
      });
      for (const { fields, message } of notes) logger.info(fields, message);
      for (const fact of facts) measure(fact);
      return result;
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
