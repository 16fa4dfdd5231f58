/** The messages between the server and the thread of the embedded database. */
export interface EmbeddedWorkerData {
  /** The folder of the database files. */
  readonly folder: string;
  /** Absent on systems without unix sockets: loopback TCP on a free port. */
  readonly socketPath: string | undefined;
  /** Only for the test of the self-test: starts the database like PGlite, without fsync. */
  readonly isSyncBroken?: boolean;
  /** See `EmbeddedServerOptions`. */
  readonly isDisposable?: boolean;
}

export type EmbeddedWorkerMessage =
  | { readonly kind: 'ready'; readonly address: string; readonly syncs: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' };
