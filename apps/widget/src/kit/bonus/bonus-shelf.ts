/** The bonuses of one running widget: which there are, which is in front, and whether the person wants one (BON-1, BON-2). */
import type { Bonus } from '@opencashier/contract/api';
import { type BonusShelf, withoutExpired } from '@opencashier/core/bonus/bonus';
import { createStore } from 'zustand/vanilla';
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

/** The host's list that a shelf was filled from, and the currency that it was filled for. */
interface Source {
  readonly list: readonly Bonus[];
  readonly currency: string;
}

function createShelf({ session, clock, api }: ShelfServices): BonusShelfStore {
  const store = createStore<BonusShelfState>(() => ({ bonuses: [], activeId: undefined, isEnabled: true }));
  const ended = new Set<string>();
  let source: Source | undefined;
  let listeners = 0;
  let stopSession: (() => void) | undefined;
  let stopTimer: (() => void) | undefined;

  /** The host's list, in the currency that is paid in: no other can be earned. */
  const withHostList = (state: BonusShelfState): BonusShelfState => {
    const { payload, currency } = session.getState();
    if (source?.list === payload.bonusList && source.currency === currency) return state;
    source = { list: payload.bonusList, currency };
    const bonuses = payload.bonusList.filter((bonus) => bonus.currency === currency && !ended.has(bonus.id));
    const isThere = (id: string | undefined) => bonuses.some((bonus) => bonus.id === id);
    const activeId = [state.activeId, payload.bonusId].find(isThere) ?? bonuses[0]?.id;
    return { ...state, bonuses, activeId };
  };

  const withoutEnded = (state: BonusShelfState): BonusShelfState => {
    const left = withoutExpired(state, clock.now() + api.serverOffsetMs());
    // A list whose chosen bonus was over before it came still has a first one.
    return left === state ? state : { ...state, ...left, activeId: left.activeId ?? left.bonuses[0]?.id };
  };

  /** Runs each second while a screen listens and a bonus can end. */
  const keepTime = ({ bonuses }: BonusShelfState): void => {
    if (listeners > 0 && bonuses.length > 0) stopTimer ??= clock.setRepeating(() => update(), BONUS_CHECK_MS);
    else {
      stopTimer?.();
      stopTimer = undefined;
    }
  };

  /** Listeners hear of a change once, and never of a bonus that is over. */
  const update = (change: (state: BonusShelfState) => BonusShelfState = (state) => state): void => {
    const next = withoutEnded(change(withHostList(store.getState())));
    keepTime(next);
    store.setState(next, true);
  };

  return {
    getState() {
      // Without a listener nothing has kept it up to date, and nobody is told.
      if (listeners === 0) store.setState(withoutEnded(withHostList(store.getState())), true);
      return store.getState();
    },
    subscribe(listener) {
      if (listeners === 0) store.setState(withHostList(store.getState()), true);
      const unsubscribe = store.subscribe(listener);
      listeners += 1;
      stopSession ??= session.subscribe(() => update());
      keepTime(store.getState());
      return () => {
        unsubscribe();
        listeners -= 1;
        keepTime(store.getState());
        if (listeners > 0) return;
        stopSession?.();
        stopSession = undefined;
      };
    },
    choose(id) {
      update((state) =>
        state.bonuses.some((bonus) => bonus.id === id) ? { ...state, activeId: id, isEnabled: true } : state,
      );
    },
    setEnabled(isEnabled) {
      update((state) => (state.isEnabled === isEnabled ? state : { ...state, isEnabled }));
    },
    end(id) {
      update((state) => {
        ended.add(id);
        if (!state.bonuses.some((bonus) => bonus.id === id)) return state;
        return { ...state, bonuses: state.bonuses.map((bonus) => (bonus.id === id ? endedLongAgo(bonus) : bonus)) };
      });
    },
    check: () => update(),
  };
}

function endedLongAgo(bonus: Bonus): Bonus {
  return { ...bonus, mustAccruedBefore: new Date(0).toISOString() };
}
