/**
 * The key of the withdrawal that is under way, stored before the first send, so that a reload, another tab and a return to the
 * page go on with the same one (WD-2). What was typed is not stored: of the person and the wish only marks that tell them from others.
 */
import { readStored, store } from '../browser-storage.ts';
import { textMark } from '../text-mark.ts';

const key = 'cashier.withdrawal';
/** As long as the server holds an amount that nobody confirms: the same wish after that is another withdrawal. */
const keptForMs = 900_000;

/** The wish of one person: whose it is and what money is meant. Where it goes is not a part of it, since a mark can be guessed. */
export interface Wisher {
  readonly userId: string | undefined;
  readonly fingerprint: string;
}

interface Stored {
  readonly withdrawalId: string;
  readonly user: string;
  readonly wish: string;
}

const userMark = (userId: string | undefined): string => textMark(`user ${userId}`);

/** The key under which this very wish is already under way; undefined when there is none. `now` in ms. */
export function pendingWithdrawalId({ userId, fingerprint }: Wisher, now: number): string | undefined {
  const stored = read(now);
  const isOurs = stored?.user === userMark(userId) && stored.wish === textMark(fingerprint);
  return isOurs ? stored.withdrawalId : undefined;
}

export function storePendingWithdrawal(withdrawalId: string, { userId, fingerprint }: Wisher, now: number): void {
  store('localStorage', key, `${withdrawalId} ${userMark(userId)} ${textMark(fingerprint)} ${now}`);
}

/** Another tab may have begun another withdrawal meanwhile: its key stays. */
export function forgetPendingWithdrawal(withdrawalId: string): void {
  if (readStored('localStorage', key)?.split(' ')[0] === withdrawalId) store('localStorage', key, undefined);
}

function read(now: number): Stored | undefined {
  const [withdrawalId, user, wish, at] = readStored('localStorage', key)?.split(' ') ?? [];
  if (withdrawalId === undefined || user === undefined || wish === undefined) return undefined;
  return Math.abs(now - Number(at)) < keptForMs ? { withdrawalId, user, wish } : undefined;
}
