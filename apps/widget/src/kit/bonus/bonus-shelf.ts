/** The bonuses of one running widget: which there are, which is in front, and whether the person wants one (BON-1, BON-2). */
import type { Bonus } from '@opencashier/contract/api';
import { type BonusShelf, withoutExpired } from '@opencashier/core/bonus/bonus';
import type { ReadableStore, Services } from '../session/services.tsx';

/** §9: how often it is looked whether a bonus has ended. */
export const BONUS_CHECK_MS = 1000;

export interface BonusShelfState extends BonusShelf {
  /** The switch; on until the person turns it off. */
  readonly isEnabled: boolean;
}

export interface BonusShelfStore extends ReadableStore<BonusShelfState> {
  /** Puts a bonus in front and turns the switch on. */
  choose(id: string): void;
  setEnabled(isEnabled: boolean): void;
  /** The server says that it has ended, whatever this device's clock says. */
  end(id: string): void;
  /** Takes out at once what is over. */
  check(): void;
}

type ShelfServices = Pick<Services, 'session' | 'clock' | 'api'>;

const shelves = new WeakMap<ShelfServices, BonusShelfStore>();

/** The shelf of this widget; the same one for every screen, so that a choice is kept from screen to screen. */
export function bonusShelfOf(services: ShelfServices): BonusShelfStore {
  let shelf = shelves.get(services);
  if (!shelf) {
    shelf = createShelf(services);
    shelves.set(services, shelf);
  }
  return shelf;
}

function createShelf({ session, clock, api }: ShelfServices): BonusShelfStore {
  const listeners = new Set<() => void>();
  const ended = new Set<string>();
  let source: { readonly list: readonly Bonus[]; readonly currency: string } | undefined;
  let state: BonusShelfState = { bonuses: [], activeId: undefined, isEnabled: true };
  let stopSession: (() => void) | undefined;
  let stopTimer: (() => void) | undefined;

  /** The host's list, in the currency that is paid in: no other can be earned. */
  const read = (): void => {
    const { payload, currency } = session.get();
    if (source?.list === payload.bonusList && source.currency === currency) return;
    source = { list: payload.bonusList, currency };
    const bonuses = payload.bonusList.filter((bonus) => bonus.currency === currency && !ended.has(bonus.id));
    const isThere = (id: string | undefined) => bonuses.some((bonus) => bonus.id === id);
    const activeId = [state.activeId, payload.bonusId].find(isThere) ?? bonuses[0]?.id;
    state = { ...state, bonuses, activeId };
  };

  const expire = (): void => {
    const left = withoutExpired(state, clock.now() + api.serverOffsetMs());
    // A list whose chosen bonus was over before it came still has a first one.
    if (left !== state) state = { ...state, ...left, activeId: left.activeId ?? left.bonuses[0]?.id };
  };

  /** Ticks while somebody looks and there is something that may end. */
  const keepTime = (): void => {
    const isNeeded = listeners.size > 0 && state.bonuses.length > 0;
    if (isNeeded) stopTimer ??= clock.setRepeating(() => update(() => undefined), BONUS_CHECK_MS);
    else {
      stopTimer?.();
      stopTimer = undefined;
    }
  };

  const update = (change: () => void): void => {
    const before = state;
    read();
    change();
    expire();
    keepTime();
    if (state !== before) for (const listener of [...listeners]) listener();
  };

  return {
    get() {
      read();
      if (listeners.size === 0) expire();
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      stopSession ??= session.subscribe(() => update(() => undefined));
      read();
      keepTime();
      return () => {
        listeners.delete(listener);
        keepTime();
        if (listeners.size > 0) return;
        stopSession?.();
        stopSession = undefined;
      };
    },
    choose(id) {
      update(() => {
        if (state.bonuses.some((bonus) => bonus.id === id)) state = { ...state, activeId: id, isEnabled: true };
      });
    },
    setEnabled(isEnabled) {
      update(() => {
        if (state.isEnabled !== isEnabled) state = { ...state, isEnabled };
      });
    },
    end(id) {
      update(() => {
        ended.add(id);
        const gone = state.bonuses.find((bonus) => bonus.id === id);
        if (!gone) return;
        const past = { ...gone, mustAccruedBefore: new Date(0).toISOString() };
        state = { ...state, bonuses: state.bonuses.map((bonus) => (bonus.id === id ? past : bonus)) };
      });
    },
    check: () => update(() => undefined),
  };
}
