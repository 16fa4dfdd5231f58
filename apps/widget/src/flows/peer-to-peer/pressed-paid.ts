/**
 * The deposits of this browser for which the user has pressed "I have paid". The widget never cancels such a deposit by itself,
 * also after a reload or in another tab, because the payer may have paid (DEP-11). Only ids are stored.
 */
import { readStored, store } from '../../kit/session/browser-storage.ts';

const key = 'cashier.paid-pressed';
/** Older deposits have expired long ago. */
const keptIds = 10;

const pressedIds = (): string[] => readStored('localStorage', key)?.split(' ') ?? [];

/** Whether the user has pressed "I have paid" for this deposit. */
export const hasPressedPaid = (depositId: string): boolean => pressedIds().includes(depositId);

/** Call it before the report is sent. */
export function keepPressedPaid(depositId: string): void {
  const others = pressedIds().filter((id) => id !== depositId);
  store('localStorage', key, [...others, depositId].slice(-keptIds).join(' '));
}
