/**
 * The create that this tab has sent and whose end it does not know yet. It outlives its screen and a reload: whoever leaves the form
 * meanwhile and sends another deposit would else pay both (DEP-16).
 */
import { readStored, store } from './browser-storage.ts';
import { textMark } from './text-mark.ts';

const place = 'cashier.sent-deposit';

export interface SentDeposit {
  readonly depositId: string;
  readonly paymentMethod: string;
}

export const sentDeposit = {
  /** Before the create leaves. */
  keep({ depositId, paymentMethod }: SentDeposit, userId: string | undefined): void {
    store('sessionStorage', place, [depositId, textMark(`${userId}`), paymentMethod].join(' '));
  },
  /** What was sent before and may still become a payment; undefined: nothing, or another person's. */
  former(depositId: string, userId: string | undefined): SentDeposit | undefined {
    const [id, mark, paymentMethod] = readStored('sessionStorage', place)?.split(' ') ?? [];
    if (id === undefined || paymentMethod === undefined || id === depositId) return undefined;
    return mark === textMark(`${userId}`) ? { depositId: id, paymentMethod } : undefined;
  },
  /** Its end is known: its person has been told, or nothing can come of it. What was sent after it stays. */
  forget(depositId: string): void {
    if (readStored('sessionStorage', place)?.split(' ')[0] === depositId) store('sessionStorage', place, undefined);
  },
};
