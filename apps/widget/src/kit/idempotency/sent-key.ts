/**
 * The last create of this tab whose outcome is not known yet, of a deposit or a withdrawal. It is stored, so it survives the
 * screen and a reload. Without it a payer who leaves the form and sends another create could pay, or put on hold, both (DEP-16,
 * WD-2).
 */
import { readStored, store } from '../session/browser-storage.ts';
import { textMark } from './text-mark.ts';

export interface Sent {
  readonly id: string;
  readonly paymentMethod: string;
}

export interface SentKey {
  /** Called before the create is sent. */
  keep(sent: Sent, userId: string | undefined): void;
  /** Whether an earlier create under this key may have arrived. */
  has(id: string): boolean;
  /** A create under another key that may still be carried out. Undefined when there is none, or when it belongs to another user. */
  former(id: string, userId: string | undefined): Sent | undefined;
  /** The outcome is known: the payer has seen it, or the create is void. A create that was sent later stays stored. */
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
