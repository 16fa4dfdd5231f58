/** The only interface to SQL. The embedded database and PostgreSQL both implement it, and no caller knows which one runs. */

/** A statement with a stable `name` is prepared once per connection. Use a name on every hot path. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** Something that runs statements: the database, or a running transaction. */
export interface Queryable {
  /** Runs one statement and returns its rows. bigint columns are `bigint`, timestamptz columns are `Date`. */
  query<Row>(statement: Statement): Promise<Row[]>;
  /** Writes a log line; inside a transaction only after the commit. Absent: there is no log. */
  note?(fields: object, message: string): void;
  /** Counts a fact for the metrics; inside a transaction only after the commit. Absent: nothing is counted. */
  measure?(fact: MeasuredFact): void;
}

/** A fact for the metrics. No label names a user, a payment or an operator. */
export interface MeasuredFact {
  /** The key of the metric, see `observability/money-metrics.ts`. */
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Absent: 1. */
  readonly value?: number;
}

/**
 * A running transaction. Never wait for the network here, and never use the `Database`: there may be only one connection.
 */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

/** The connections of a pool now. */
export interface PoolUse {
  readonly most: number;
  /** Connections that run a statement or belong to a transaction. */
  readonly busy: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Runs `work` in one transaction; a thrown error rolls it back. Serialisation failures and deadlocks
   * are retried up to 3 times.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** The use of the connection pool. Absent: there is no pool. */
  poolUse?(): PoolUse | undefined;
  /** Returns when the database can be used; for readiness checks. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
