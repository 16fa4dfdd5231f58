/** Limits of a host's messages. A message beyond a limit is dropped and counted, never read in part. */
export const hostLimits = {
  loadedBytes: 256 * 1024,
  otherBytes: 64 * 1024,
  depth: 8,
  bonuses: 100,
  experiments: 50,
  textLength: 2 * 1024,
  tokenLength: 8 * 1024,
  messagesPerSecond: 50,
  /** The number of messages that wait for `loaded`. */
  queued: 20,
} as const;
