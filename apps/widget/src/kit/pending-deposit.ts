/**
 * The key of the deposit that is being created, stored before the first send, so that a reload, another tab and a return to the
 * page send the same one (DEP-16). What was typed is not stored: of the wish only a mark that tells it from others.
 */
import { readStored, store } from './browser-storage.ts';
import { textMark } from './text-mark.ts';

const key = 'cashier.deposit';
/** As long as a deposit waits for its payment (§9): the same wish after that is another deposit. */
const keptForMs = 600_000;

/** The wish of one person: whose it is and what money is meant (`requestFingerprint`). */
export interface Wisher {
  readonly userId: string | undefined;
  readonly fingerprint: string;
}

/** The key under which this very wish is already being created; undefined when there is none. `now` in ms. */
export function pendingDepositId(wisher: Wisher, now: number): string | undefined {
  const [mark, depositId, at] = readStored('localStorage', key)?.split(' ') ?? [];
  const age = now - Number(at);
  if (mark !== markOf(wisher) || depositId === undefined || !(Math.abs(age) < keptForMs)) return undefined;
  return depositId;
}

export function storePendingDeposit(depositId: string, wisher: Wisher, now: number): void {
  store('localStorage', key, `${markOf(wisher)} ${depositId} ${now}`);
}

/** Another tab may have begun another deposit meanwhile: its key stays. */
export function forgetPendingDeposit(depositId: string): void {
  if (readStored('localStorage', key)?.split(' ')[1] === depositId) store('localStorage', key, undefined);
}

/** Two wishes with one mark would be told apart by the server, which refuses one key for both. */
const markOf = ({ userId, fingerprint }: Wisher): string => textMark(`${userId} ${fingerprint}`);
