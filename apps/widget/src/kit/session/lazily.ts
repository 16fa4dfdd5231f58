/** Loads parts of the widget when they are needed, over networks that may fail. */
import { systemClock } from '@opencashier/core/time/clock';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * Loads a file, with up to seven attempts within half a minute. It also requests failed style sheets again, because the loader
 * requests each only once. Rejects with the last error.
 */
export function insist<Part>(load: () => Promise<Part>, left = 6): Promise<Part> {
  return load().catch(async (error: unknown) => {
    if (left === 0) throw error;
    await new Promise<void>((resolve) => {
      systemClock.setTimer(resolve, 32_000 >> left);
    });
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
      if (!link.sheet) link.replaceWith(link.cloneNode());
    }
    return insist(load, left - 1);
  });
}

/** An optional part of a screen. If it cannot be loaded, its place stays empty. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    insist(load).then(
      (part) => ({ default: part }),
      (error: unknown) => {
        console.warn('A part could not be loaded.', error);
        return { default: () => null };
      },
    ),
  );
}
