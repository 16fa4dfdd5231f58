/** The host's start values (HOST-2): a method whose form opens at once, and its amount. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { useEffect } from 'react';
import { findMethod } from '../method/method-list.ts';
import type { Direction } from './product.ts';
import { type Services, type Session, useServices, useSession } from './services.tsx';

const started = new WeakSet<Services>();

/** The user has tapped a method before the host's could open. */
export function skipHostStart(services: Services): void {
  started.add(services);
}

/** The host's amount, a decimal string. Undefined in another direction or currency than the host's. */
export function hostAmount({ start, currency }: Session, direction: Direction): string | undefined {
  return start?.direction === direction && start.currency === currency ? start.amount : undefined;
}

/** Opens the host's method once, when the list is loaded. A user who comes back to the list wants to see the list. */
export function useHostMethod(list: MethodList, direction: Direction, open: (method: PaymentMethod) => void): void {
  const services = useServices();
  const { start } = useSession();
  const name = start?.direction === direction ? start.method : undefined;
  useEffect(() => {
    if (name === undefined || started.has(services)) return;
    started.add(services);
    const method = findMethod(list, name);
    if (method !== undefined && method.disabledReason === undefined) {
      open(method);
      return;
    }
    const message = `The method ${name} that the host begins with is not offered here; the list is shown.`;
    services.post({ messageType: 'error', payload: { code: 'not-chosen', message } });
  });
}
