/**
 * The key of the deposit that is being created, stored before the first send, so that a reload, another tab and a return to the
 * page send the same one (DEP-16). What was typed is not stored: of the wish only a mark that tells it from others.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { readStored, store } from './browser-storage.ts';
import { textMark } from './text-mark.ts';

const key = 'cashier.deposit';
/** As long as a deposit waits for its payment (§9): the same wish after that is another deposit. */
const keptForMs = 600_000;
/** Long beside the moment that a stored text takes to reach the tabs of another process, short beside a second wish. */
const shownForMs = 3000;
/** Another tab may be asleep with the lock in its hand: nobody waits for it longer than this. */
const patienceMs = 1000;

/** The wish of one person: whose it is and what money is meant (`requestFingerprint`). */
export interface Wisher {
  readonly userId: string | undefined;
  readonly fingerprint: string;
}

/**
 * The one key of a wish in every tab: that under which it is already being created, else `proposed`, stored for the next who asks.
 * Tabs take turns by a lock of the browser. What one of them stores reaches another a moment later, so a key is also shown
 * for that moment in the name of a lock, which all see at once. Without locks (an old browser, a frame that may not) storage decides.
 */
export async function claimDepositId(
  proposed: string,
  wisher: Wisher,
  clock: Clock,
  locks: LockManager | undefined = globalThis.navigator?.locks,
): Promise<string> {
  const take = (shown?: string): string => {
    const depositId = shown ?? pendingDepositId(wisher, clock.now()) ?? proposed;
    store('localStorage', key, `${markOf(wisher)} ${depositId} ${clock.now()}`);
    return depositId;
  };
  if (locks === undefined) return take();
  const patience = new AbortController();
  const stopWaiting = clock.setTimer(() => patience.abort(), patienceMs);
  try {
    return await locks.request(key, { signal: patience.signal }, async () => {
      const place = `${key} ${markOf(wisher)} `;
      const { held = [] } = await locks.query();
      const shown = held.find(({ name }) => name?.startsWith(place))?.name?.slice(place.length);
      const depositId = take(shown);
      if (!hiding.has(depositId)) await show(place, depositId, locks, clock);
      return depositId;
    });
  } catch (error) {
    // Refused, or in the hand of a tab that is asleep. All else is a fault that is to be seen; by none is anybody kept from paying.
    if (!(error instanceof DOMException)) reportError(error);
    return take();
  } finally {
    stopWaiting();
  }
}

/** How to stop showing a key. */
const hiding = new Map<string, () => void>();

function show(place: string, depositId: string, locks: LockManager, clock: Clock): Promise<void> {
  const isHidden = new Promise<void>((end) => {
    const stopTimer = clock.setTimer(() => hide(), shownForMs);
    const hide = (): void => {
      stopTimer();
      hiding.delete(depositId);
      end();
    };
    hiding.set(depositId, hide);
  });
  return new Promise((isShown, cannotBe) => {
    const untilHidden = (): Promise<void> => {
      isShown();
      return isHidden;
    };
    // Shared: the other tab shows the same key as this one.
    locks.request(place + depositId, { mode: 'shared' }, untilHidden).catch(cannotBe);
  });
}

/** The key under which this very wish is already being created; undefined when there is none. `now` in ms. */
function pendingDepositId(wisher: Wisher, now: number): string | undefined {
  const [mark, depositId, at] = readStored('localStorage', key)?.split(' ') ?? [];
  const age = now - Number(at);
  if (mark !== markOf(wisher) || depositId === undefined || !(Math.abs(age) < keptForMs)) return undefined;
  return depositId;
}

/** Another tab may have begun another deposit meanwhile: its key stays. */
export function forgetPendingDeposit(depositId: string): void {
  hiding.get(depositId)?.();
  if (readStored('localStorage', key)?.split(' ')[1] === depositId) store('localStorage', key, undefined);
}

/** Two wishes with one mark would be told apart by the server, which refuses one key for both. */
const markOf = ({ userId, fingerprint }: Wisher): string => textMark(`${userId} ${fingerprint}`);
