/** The one way to SQL. The embedded database and PostgreSQL both stand behind it; nothing above knows which. */

/** A statement with a stable `name` is prepared once per connection; use one on every hot path. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

export interface Queryable {
  /** Runs one statement and answers its rows. bigint columns come back as `bigint`, timestamptz as `Date`. */
  query<Row>(statement: Statement): Promise<Row[]>;
  /** Leaves a line for the log; inside a transaction it is written once that is committed. Absent: nobody keeps a log. */
  note?(fields: object, message: string): void;
}

/** Inside a transaction. Never do network I/O here, and never reach for the `Database`: there may be one connection only. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres';
  /** Runs `work` in one transaction; a thrown error rolls back. Serialisation failures and deadlocks are retried up to 3 times. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Answers once the database can be used; for readiness checks. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
