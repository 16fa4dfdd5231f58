/** What the server and the thread of the embedded database say to each other. */
export interface EmbeddedWorkerData {
  /** The folder of the database's own files. */
  readonly folder: string;
  /** Absent where there are no unix sockets: loopback TCP on a free port. */
  readonly socketPath: string | undefined;
  /** For the test of the self-test only: starts the database as PGlite would, without fsync. */
  readonly isSyncBroken?: boolean;
  /** See `EmbeddedServerOptions`. */
  readonly isDisposable?: boolean;
}

export type EmbeddedWorkerMessage =
  | { readonly kind: 'ready'; readonly address: string; readonly syncs: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' };
