/** Loads parts of the widget when they are needed or shortly before, over networks that may fail. */
import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react';
import { insist } from '../../api/insist.ts';

/** A component whose file is loaded later. Once the file is there, the component is drawn in the same turn, without Suspense. */
export interface LaterComponent<Props extends object> extends FunctionComponent<Props> {
  isLoaded(): boolean;
  /** Loads the file before the component is drawn. It tries once: drawing tries again. */
  load(): Promise<void>;
}

/** @param whenFailed what is drawn if the file cannot be loaded. Absent: the error boundary shows the error */
export function laterComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  whenFailed?: (error: unknown) => ComponentType<Props>,
): LaterComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const keep = (component: ComponentType<Props>) => {
    loaded = component;
    return { default: component };
  };
  const Waiting = lazy(() =>
    insist(load).then(keep, (error: unknown) => {
      if (whenFailed === undefined) throw error;
      return { default: whenFailed(error) };
    }),
  );
  // The choice is made once for each place on the page. A change of the component would draw the place again and lose its state.
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each file
  const Later = (props: Props) => createElement(useState<ComponentType<Props>>(() => loaded ?? Waiting)[0], props);
  return Object.assign(Later, {
    isLoaded: () => loaded !== undefined,
    load: () => load().then((component) => void keep(component)),
  });
}

/** An optional part of a screen. If it cannot be loaded, its place stays empty. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>): LaterComponent<Props> =>
  laterComponent(load, (error) => {
    console.warn('A part could not be loaded.', error);
    return () => null;
  });
