/** The history of this window as the rest of the widget uses it (NAV-4). */
import type { Navigation } from '../../kit/session/services.tsx';

/** The state of an entry of the history: how many entries of the widget are before it, and the state of its screen. */
interface Entry {
  readonly cashierDepth: number;
  readonly state: unknown;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'cashierDepth') === 'number';
}

/** The state of the screen of an entry. Boot writes the entry of the error page without the depth. */
export function stateOfEntry(entry: unknown): unknown {
  return isEntry(entry) ? entry.state : entry;
}

/** Parameters of the host that a reload needs again. Every entry of the history keeps them (NAV-7). */
const keptParameters = ['partner', 'theme'];

/** The query of an address, with the parameters that every entry keeps. */
export function keptSearch(search = ''): string {
  const current = new URLSearchParams(location.search);
  const next = new URLSearchParams(search);
  for (const name of keptParameters) {
    const value = current.get(name);
    if (value !== null && !next.has(name)) next.set(name, value);
  }
  return next.toString();
}

function withKept(path: string): string {
  const [address = '', fragment] = path.split('#');
  const [pathname = '', search = ''] = address.split('?');
  const query = keptSearch(search);
  return `${pathname}${query === '' ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** @param base first segment of every address, such as `/opencashier` */
export function createNavigation(base: string): Navigation {
  const depth = () => (isEntry(history.state) ? history.state.cashierDepth : 0);
  const go: Navigation['go'] = (path, options = {}) => {
    const entry: Entry = {
      cashierDepth: options.replace ? depth() : depth() + 1,
      state: options.state,
    };
    history[options.replace ? 'replaceState' : 'pushState'](entry, '', `${base}${withKept(path)}`);
  };
  return {
    go,
    // `history.length` counts the host's pages, too. Going back to one of them would leave the widget.
    back: (fallback) => (depth() > 0 ? history.back() : go(fallback, { replace: true })),
  };
}
