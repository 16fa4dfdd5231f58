/** Parts that are fetched when they are needed, over networks and from servers that come and go. */
import { systemClock } from '@opencashier/core/time/clock';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * Asks again for a file that did not come, seven times within half a minute. A style sheet that did not come is asked for again
 * with it, as the loader asks for each only once. Rejects with the last error.
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

/** A part that the screen around it can do without: if it never comes, its place stays empty. */
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
