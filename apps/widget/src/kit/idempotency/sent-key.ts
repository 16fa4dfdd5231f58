/**
 * The create that this tab has sent and whose end is not known yet, of a deposit or a withdrawal. It outlives its screen and a
 * reload: whoever leaves the form meanwhile and sends another one would else pay, or hold, both (DEP-16, WD-2).
 */
import { readStored, store } from '../session/browser-storage.ts';
import { textMark } from './text-mark.ts';

export interface Sent {
  readonly id: string;
  readonly paymentMethod: string;
}

export interface SentKey {
  /** Before the create leaves. */
  keep(sent: Sent, userId: string | undefined): void;
  /** Whether an earlier create under this key may have arrived. */
  has(id: string): boolean;
  /** What was sent before under another key and may still be made; undefined: nothing, or another person's. */
  former(id: string, userId: string | undefined): Sent | undefined;
  /** Its end is known: its person has been told, or nothing can come of it. What was sent after it stays. */
  forget(id: string): void;
}

/** @param place names the storage */
function sentKey(place: string): SentKey {
  const stored = (): string[] => readStored('sessionStorage', place)?.split(' ') ?? [];
  const has = (id: string): boolean => stored()[0] === id;
  return {
    keep: ({ id, paymentMethod }, userId) =>
      store('sessionStorage', place, [id, textMark(`${userId}`), paymentMethod].join(' ')),
    has,
    former(id, userId) {
      const [before, mark, paymentMethod] = stored();
      if (before === undefined || paymentMethod === undefined || before === id) return undefined;
      return mark === textMark(`${userId}`) ? { id: before, paymentMethod } : undefined;
    },
    forget(id) {
      if (has(id)) store('sessionStorage', place, undefined);
    },
  };
}

export const sentDeposit = sentKey('cashier.sent-deposit');
export const sentWithdrawal = sentKey('cashier.sent-withdrawal');
