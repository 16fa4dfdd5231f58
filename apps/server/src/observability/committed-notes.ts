/** A database whose transactions can leave log lines. They are written after the commit, so that no line is about a rollback. */
import type { Database } from '../database/database.ts';

interface Note {
  readonly fields: object;
  readonly message: string;
}

export function notedDatabase(database: Database, logger: { info(fields: object, message: string): void }): Database {
  return {
    kind: database.kind,
    query: (statement) => database.query(statement),
    note: (fields, message) => logger.info(fields, message),
    async transaction(work) {
      let notes: Note[] = [];
      const result = await database.transaction((transaction) => {
        // A transaction that is run again leaves its lines again.
        notes = [];
        return work({ ...transaction, note: (fields, message) => notes.push({ fields, message }) });
      });
      for (const { fields, message } of notes) logger.info(fields, message);
      return result;
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
