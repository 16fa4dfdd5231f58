/**
 * Codes that this operator would send by SMS or mail, and shows in its drawer instead. In memory alone, and gone as soon as they
 * are of no use: a code is nothing to keep.
 */

export interface ReceivedCode {
  readonly withdrawalId: string;
  readonly code: string;
  readonly channel: string;
  /** ISO 8601. */
  readonly expires: string;
  /** When the cashier made it, ISO 8601: of two for one withdrawal the later one is good. */
  readonly made: string;
}

export interface CodeInbox {
  put(userId: string, code: ReceivedCode): void;
  /** The withdrawal has moved on. */
  drop(userId: string, withdrawalId: string): void;
  /** Those that are good now, the newest first. */
  of(userId: string): ReceivedCode[];
}

export function createCodeInbox(now: () => number): CodeInbox {
  const byUser = new Map<string, ReceivedCode[]>();
  const goodOf = (userId: string): ReceivedCode[] => {
    const good = (byUser.get(userId) ?? []).filter(({ expires }) => Date.parse(expires) > now());
    if (good.length > 0) byUser.set(userId, good);
    else byUser.delete(userId);
    return good;
  };
  return {
    put(userId, received) {
      const others = goodOf(userId);
      const known = others.find(({ withdrawalId }) => withdrawalId === received.withdrawalId);
      // This webhook was late: a newer code is already shown.
      if (known !== undefined && Date.parse(known.made) > Date.parse(received.made)) return;
      byUser.set(userId, [received, ...others.filter((other) => other !== known)]);
    },
    drop(userId, withdrawalId) {
      const left = goodOf(userId).filter((code) => code.withdrawalId !== withdrawalId);
      byUser.set(userId, left);
      goodOf(userId);
    },
    of: goodOf,
  };
}
