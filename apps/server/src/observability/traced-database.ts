/** A database whose statements are recorded in traces, by their names, never with their values. */
import type { Database, Queryable, Statement } from '../database/database.ts';
import type { Spans } from './spans.ts';

export function tracedDatabase(database: Database, spans: Spans): Database {
  const traced = (queryable: Queryable): Queryable['query'] => {
    return <Row>(statement: Statement) =>
      spans.step(`sql ${statement.name ?? 'statement'}`, { statement: statement.name ?? 'unnamed' }, () =>
        queryable.query<Row>(statement),
      );
  };
  return {
    kind: database.kind,
    ...(database.poolUse && { poolUse: () => database.poolUse?.() }),
    query: traced(database),
    transaction: (work) =>
      spans.step('transaction', {}, () =>
        database.transaction((transaction) => work({ isTransaction: true, query: traced(transaction) })),
      ),
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
