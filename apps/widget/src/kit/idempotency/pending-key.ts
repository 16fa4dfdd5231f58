/**
 * The key of the deposit or withdrawal that is being created. It is stored before the first send. So a reload, another tab and a
 * return to the page send the same key (DEP-16, WD-2). Only a hash of the intent is stored, never what the user typed.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { readStored, store } from '../session/browser-storage.ts';
import { textMark } from './text-mark.ts';

/** Storage needs less time to reach the tabs of another process. A user needs more time for a second intent. */
const shownForMs = 3000;
/** Presses in two tabs within this time are one intent, even if the first is answered before the second comes. */
const togetherMs = 3000;
/** A sleeping tab may hold the lock. No other tab waits for it longer than this. */
const patienceMs = 1000;

/** One intent of one user: the user, and a fingerprint of the request (`requestFingerprint`). */
export interface KeyOwner {
  readonly userId: string | undefined;
  readonly fingerprint: string;
}

export interface PendingKey {
  /**
   * Answers the one key of an intent in every tab. It is the key of a create in progress, else `proposed`, which is then stored.
   * Tabs take turns by a lock of the browser. Another tab sees a stored key only a moment later. So the key is also shown in the
   * name of a second lock, which all tabs see at once. Without locks (an old browser, a frame without permission) the storage
   * alone decides.
   */
  claim(proposed: string, owner: KeyOwner, clock: Clock, locks?: LockManager): Promise<string>;
  /** Stores a new key for an intent whose earlier key failed, or was sent with other fields. `now` in ms. */
  keep(id: string, owner: KeyOwner, now: number): void;
  /** The intent has failed or was cancelled. A key that another tab has stored meanwhile for another intent stays. */
  forget(id: string): void;
  /** The deposit is created. A press in another tab at the same moment still gets its key. The next press here gets a new key. */
  settle(id: string): void;
}

/**
 * @param place names the storage and the lock
 * @param keptForMs after this time the same request is a new intent
 */
export function pendingKey(place: string, keptForMs: number): PendingKey {
  const stored = (): string[] => readStored('localStorage', place)?.split(' ') ?? [];
  const pending = (owner: KeyOwner, now: number): string | undefined => {
    const [mark, id, at, settled] = stored();
    const isKept = Math.abs(now - Number(at)) < (settled === undefined ? keptForMs : togetherMs);
    return mark === markOf(owner) && isKept && !isSpent(id) ? id : undefined;
  };
  /** This tab has already created its deposit under the key. A reload keeps this. */
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
          // The newest key, because a settled key is shown a moment longer.
          const shown = names.filter((id) => !isSpent(id)).at(-1);
          const id = take(shown);
          if (!hiding.has(id)) await show(sign, id, locks, clock);
          return id;
        });
      } catch (error) {
        // The browser refused the lock, or a sleeping tab holds it. Any other error is reported, and the payment still continues.
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

/** For each shown key, the function that stops showing it. */
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

/** If two intents had the same mark, the server would still refuse one key for both. */
const markOf = ({ userId, fingerprint }: KeyOwner): string => textMark(`${userId} ${fingerprint}`);
