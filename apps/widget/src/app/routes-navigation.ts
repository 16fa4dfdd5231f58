/** The history of this window as the rest of the widget uses it (NAV-4). */
import type { Navigation } from '../kit/services.tsx';

/** What an entry of the history carries: how many of ours lie before it, and what its screen was handed. */
interface Entry {
  readonly cashierDepth: number;
  readonly state: unknown;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'cashierDepth') === 'number';
}

/** What the screen of this entry was handed; undefined for an entry that is not ours. */
export function stateOfEntry(entry: unknown): unknown {
  return isEntry(entry) ? entry.state : undefined;
}

/** @param base first segment of every address, such as `/opencashier` */
export function createNavigation(base: string): Navigation {
  const depth = () => (isEntry(history.state) ? history.state.cashierDepth : 0);
  const go: Navigation['go'] = (path, options = {}) => {
    const entry: Entry = {
      cashierDepth: options.replace ? depth() : depth() + 1,
      state: options.state,
    };
    history[options.replace ? 'replaceState' : 'pushState'](entry, '', `${base}${path}`);
  };
  return {
    go,
    // The length of the window's history counts the host's pages too, and going back there would leave the widget.
    back: (fallback) => (depth() > 0 ? history.back() : go(fallback, { replace: true })),
  };
}
