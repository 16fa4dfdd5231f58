/** Bounds on what a host may send; a message beyond them is dropped and counted, never half read. */
export const hostLimits = {
  loadedBytes: 256 * 1024,
  otherBytes: 64 * 1024,
  depth: 8,
  bonuses: 100,
  experiments: 50,
  textLength: 2 * 1024,
  tokenLength: 8 * 1024,
  messagesPerSecond: 50,
  /** Messages kept while they wait for `loaded`. */
  queued: 20,
} as const;
