/** The bonuses of one running widget: which exist, which is chosen, and whether the user wants it (BON-1, BON-2). */
import type { Bonus } from '@opencashier/contract/api';
import { type BonusShelf, withoutExpired } from '@opencashier/core/bonus/bonus';
import { createStore } from 'zustand/vanilla';
import type { ReadableStore, Services } from '../session/services.tsx';

/** How often the widget checks whether a bonus has ended (§9). */
export const BONUS_CHECK_MS = 1000;

export interface BonusShelfState extends BonusShelf {
  /** The switch; on until the user turns it off. */
  readonly isEnabled: boolean;
}

export interface BonusShelfStore extends ReadableStore<BonusShelfState> {
  /** Chooses a bonus and turns the switch on. */
  choose(id: string): void;
  setEnabled(isEnabled: boolean): void;
  /** The server says that it has ended, whatever this device's clock says. */
  end(id: string): void;
  /** Removes ended bonuses at once. */
  check(): void;
}

type ShelfServices = Pick<Services, 'session' | 'clock' | 'api'>;

const shelves = new WeakMap<ShelfServices, BonusShelfStore>();

/** The one shelf of this widget. Every screen shares it, so a choice is kept from screen to screen. */
export function bonusShelfOf(services: ShelfServices): BonusShelfStore {
  let shelf = shelves.get(services);
  if (!shelf) {
    shelf = createShelf(services);
    shelves.set(services, shelf);
  }
  return shelf;
}

/** The host's list and the currency from which a shelf was filled. */
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

  /** The host's bonuses in the currency of the deposit, because no other bonus can be earned. */
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
    // If the chosen bonus had ended before the list came, the first one is chosen.
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

  /** Notifies listeners once per change, and never shows them an ended bonus. */
  const update = (change: (state: BonusShelfState) => BonusShelfState = (state) => state): void => {
    const next = withoutEnded(change(withHostList(store.getState())));
    keepTime(next);
    store.setState(next, true);
  };

  return {
    getState() {
      // Without a listener nothing keeps the state up to date, and there is nobody to notify.
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
