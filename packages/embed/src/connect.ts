/** What the wrappers of the frameworks share: a cashier whose callbacks may change without a new start. */
import { type Cashier, createCashier } from './cashier.ts';
import { type CashierCallbacks, callbackEvents } from './events.ts';
import type { CashierOptions } from './options.ts';

/** Options of a wrapper. The wrapper is the container. */
export type WrapperOptions = Omit<CashierOptions, 'container'>;

/**
 * Creates a cashier in `container`.
 *
 * @param latest answers the newest options; asked again for each callback and token
 * @throws TypeError for an impossible address or partner
 */
export function connect(latest: () => WrapperOptions, container: Element | undefined): Cashier {
  const { getToken, ...options } = latest();
  const cashier = createCashier({
    ...withoutCallbacks(options),
    container,
    getToken: getToken && (() => latest().getToken?.() ?? ''),
  });
  for (const [option, name] of Object.entries(callbackEvents)) {
    cashier.on(name, (detail) =>
      (latest()[option as keyof CashierCallbacks] as ((detail: unknown) => void) | undefined)?.(detail),
    );
  }
  return cashier;
}

/** Equal as long as nothing changes that needs a new start: every option that is no function. */
export const keyOf = (options: WrapperOptions): string => JSON.stringify(options);

function withoutCallbacks(options: WrapperOptions): CashierOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(callbackEvents, name)),
  ) as unknown as CashierOptions;
}
