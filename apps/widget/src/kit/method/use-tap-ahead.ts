/** What the next tap on a list needs: the screens of the whole list, and the answer for the one method that the pointer is near. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import type { Cancel } from '@opencashier/core/time/clock';
import { useEffect, useMemo } from 'react';
import { limitsQuery } from '../amount/limits-query.ts';
import { fieldCode } from '../form/field-code.ts';
import { usePlace } from '../session/product-context.tsx';
import { useServices } from '../session/services.tsx';
import { TileChoices } from './tile-choices-part.ts';

/** A pointer that stays this long is there to press. One that passes over the list asks for nothing. */
const STAYS_MS = 80;

export interface TapAhead {
  nearMethod(method: PaymentMethod): void;
  nearGroup(name: string): void;
  nearRegion(): void;
  /** The pointer or the focus has left. */
  away(): void;
  /** The tap opens a form with other values than before. */
  changed(): void;
}

/**
 * Loads the screens that a list can open, when the page is idle (LIST-4, UI-5).
 *
 * @param group the group whose methods the list shows
 */
export function useTapAhead(list: MethodList | undefined, group?: string): TapAhead {
  const services = useServices();
  const { ahead, product, tree, direction } = usePlace();
  useEffect(() => {
    if (list === undefined) return;
    const hasChoices = list.methods.some(({ tile }) => tile !== undefined);
    return ahead.load(list, hasChoices ? [fieldCode, TileChoices] : [fieldCode]);
  }, [ahead, list]);
  const near = useMemo(() => {
    let stop: Cancel = () => undefined;
    return {
      nearMethod(method: PaymentMethod) {
        ahead.near(product.methodPath(tree, method, group));
        stop();
        if (direction !== 'deposit') return;
        const { currency } = services.session.getState();
        stop = services.clock.setTimer(
          () => void services.queries.prefetchQuery(limitsQuery(services, method.name, currency)),
          STAYS_MS,
        );
      },
      nearRegion: () => ahead.near(`${tree}/region`),
      nearGroup: (name: string) => ahead.near(product.groupPath(tree, name)),
      away: () => stop(),
      changed: () => ahead.drop(),
    };
  }, [ahead, product, tree, group, direction, services]);
  useEffect(() => near.away, [near]);
  return near;
}
