/** The screens that a list can open, loaded before the tap (LIST-4, UI-5). A tap then draws its screen in the same turn. */
import type { Cancel } from '@opencashier/core/time/clock';
import type { ScreensAhead } from '../../kit/session/product-context.tsx';
import { type Ahead, laterScreen, sourcesAt, tell } from './later-screens.ts';

/** Late enough for the list's own marks and banners, early enough for the first tap. */
const AFTER_MS = 300;

/** Loads the screens of the lists of one product. The code for it comes after the list. */
export function screensAhead(place: Ahead): ScreensAhead {
  const { product, parser, clock, prepare } = place;
  return {
    load(list, parts = []) {
      let isStopped = false;
      let stop: Cancel = clock.setTimer(() => {
        import('./list-ahead.ts').then(({ loadAhead }) => {
          if (!isStopped) stop = loadAhead(place, list, parts);
        }, tell);
      }, AFTER_MS);
      return () => {
        isStopped = true;
        stop();
      };
    },
    near(path) {
      const waiting = sourcesAt(path, product, parser)
        .map(laterScreen)
        .filter((screen) => !screen.isLoaded());
      if (waiting.length === 0) prepare(path);
      else Promise.all(waiting.map((screen) => screen.load())).catch(tell);
    },
    drop: () => prepare(undefined),
  };
}
