/**
 * The key of the deposit or withdrawal that is being created. It is stored before the first send, so that a reload, another tab and a
 * return to the page send the same key (DEP-16, WD-2). Of the intent only a hash is stored, never what was typed.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { readStored, store } from '../session/browser-storage.ts';
import { textMark } from './text-mark.ts';

/** Longer than a stored text takes to reach the tabs of another process, shorter than the time to a second intent. */
const shownForMs = 3000;
/** Presses in two tabs within this time are one intent, also when the first press is answered before the second comes. */
const togetherMs = 3000;
/** A sleeping tab may hold the lock: no other tab waits longer than this. */
const patienceMs = 1000;

/** The intent of one person: whose it is and what money is meant (`requestFingerprint`). */
export interface KeyOwner {
  readonly userId: string | undefined;
  readonly fingerprint: string;
}

export interface PendingKey {
  /**
   * The one key of an intent in every tab: that under which it is already being created, else `proposed`, stored for the next who asks.
   * Tabs take turns by a lock of the browser. What one of them stores reaches another a moment later, so a key is also shown
   * for that moment in the name of a lock, which all see at once. Without locks (an old browser, a frame that may not) storage decides.
   */
  claim(proposed: string, owner: KeyOwner, clock: Clock, locks?: LockManager): Promise<string>;
  /** Stores a new key for an intent whose earlier key failed. `now` in ms. */
  keep(id: string, owner: KeyOwner, now: number): void;
  /** The intent has failed or was cancelled. The key of another intent, begun in another tab meanwhile, stays. */
  forget(id: string): void;
  /** The deposit is made. Another tab that was pressed at the same moment still gets its key; the next press here gets a new key. */
  settle(id: string): void;
}

/**
 * @param place names the storage and the lock
 * @param keptForMs the same intent after that is another one
 */
export function pendingKey(place: string, keptForMs: number): PendingKey {
  const stored = (): string[] => readStored('localStorage', place)?.split(' ') ?? [];
  const pending = (owner: KeyOwner, now: number): string | undefined => {
    const [mark, id, at, settled] = stored();
    const isKept = Math.abs(now - Number(at)) < (settled === undefined ? keptForMs : togetherMs);
    return mark === markOf(owner) && isKept && !isSpent(id) ? id : undefined;
  };
  /** This tab has made its deposit under the key; a reload knows that, too. */
  const isSpent = (id: string | undefined): boolean => readStored('sessionStorage', place) === id;
  const keep = (id: string, owner: KeyOwner, now: number): void =>
    store('localStorage', place, `${markOf(owner)} ${id} ${now}`);
  return {
    keep,
    async claim(proposed, owner, clock, locks = globalThis.navigator?.locks) {
      const take = (shown?: string): string => {
        const id = shown ?? pending(owner, clock.now()) ?? proposed;
        keep(id, owner, clock.now());
        return id;
      };
      if (locks === undefined) return take();
      const patience = new AbortController();
      const stopWaiting = clock.setTimer(() => patience.abort(), patienceMs);
      try {
        return await locks.request(place, { signal: patience.signal }, async () => {
          const sign = `${place} ${markOf(owner)} `;
          const { held = [] } = await locks.query();
          const names = held.flatMap(({ name }) => (name?.startsWith(sign) ? name.slice(sign.length) : []));
          // The newest: what a tab has settled is shown for a moment longer.
          const shown = names.filter((id) => !isSpent(id)).at(-1);
          const id = take(shown);
          if (!hiding.has(id)) await show(sign, id, locks, clock);
          return id;
        });
      } catch (error) {
        // The browser refused the lock, or a sleeping tab holds it. Any other fault is reported, and the payment goes on as well.
        if (!(error instanceof DOMException)) reportError(error);
        return take();
      } finally {
        stopWaiting();
      }
    },
    forget(id) {
      hiding.get(id)?.();
      if (stored()[1] === id) store('localStorage', place, undefined);
    },
    settle(id) {
      store('sessionStorage', place, id);
      const [mark, kept, at] = stored();
      if (kept === id) store('localStorage', place, [mark, id, at, 'settled'].join(' '));
    },
  };
}

/** How to stop showing a key. */
const hiding = new Map<string, () => void>();

function show(sign: string, id: string, locks: LockManager, clock: Clock): Promise<void> {
  const isHidden = new Promise<void>((end) => {
    const stopTimer = clock.setTimer(() => hide(), shownForMs);
    const hide = (): void => {
      stopTimer();
      hiding.delete(id);
      end();
    };
    hiding.set(id, hide);
  });
  return new Promise((isShown, cannotBe) => {
    const untilHidden = (): Promise<void> => {
      isShown();
      return isHidden;
    };
    // Shared: the other tab shows the same key as this one.
    locks.request(sign + id, { mode: 'shared' }, untilHidden).catch(cannotBe);
  });
}

/** Two intents with one mark would be told apart by the server, which refuses one key for both. */
const markOf = ({ userId, fingerprint }: KeyOwner): string => textMark(`${userId} ${fingerprint}`);
