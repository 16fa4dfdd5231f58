/** The command `trigger` cannot be carried out. The message says why, and what to do. */
export class TriggerError extends Error {
  override readonly name = 'TriggerError';
}
