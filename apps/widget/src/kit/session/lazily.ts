/** Loads parts of the widget when they are needed, over networks that may fail. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { insist } from '../../api/insist.ts';

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
