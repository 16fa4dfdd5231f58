import { vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import type { CashierOptions } from './options.ts';
import { cashierUrl } from './testing.ts';

/** Starts a cashier and records what it posts to the frame, with the origin that it posts to. */
export function startWatched(options: Partial<CashierOptions> = {}) {
  const cashier: Cashier = createCashier({ cashierUrl, partner: 'acme', container: document.body, ...options });
  const posted: { message: unknown; origin: unknown }[] = [];
  const spy = () => {
    const { contentWindow } = cashier.element as HTMLIFrameElement;
    if (!contentWindow) throw new Error('the frame is not in the page');
    vi.spyOn(contentWindow, 'postMessage').mockImplementation(
      ((message: unknown, origin: unknown) => void posted.push({ message, origin })) as Window['postMessage'],
    );
  };
  spy();
  return { cashier, posted, spy };
}
