/** The SDK as a React component. */
import { useEffect, useRef } from 'react';
import { type Cashier as CashierHandle, createCashier } from './cashier.ts';
import { callbackEvents } from './events.ts';
import type { CashierOptions } from './options.ts';

export interface CashierProps extends Omit<CashierOptions, 'container'> {
  /** Modal only: whether it is shown. Set it to false in `onClose`. */
  open?: boolean;
  /** Whether to load it while it is not shown. Set it when the user may be about to open it, as on `onPointerEnter`. */
  preload?: boolean;
  className?: string;
}

/**
 * Shows the cashier inline, or as a modal while `open` is true. Callbacks may change with every render; a change of any
 * other option starts the cashier again.
 */
export function Cashier({ open = true, preload = false, className, ...options }: CashierProps) {
  const container = useRef<HTMLDivElement>(null);
  const handle = useRef<CashierHandle>(undefined);
  const latest = useRef(options);
  const key = JSON.stringify(options);

  useEffect(() => {
    latest.current = options;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for every option that is not a function
  useEffect(() => {
    const { getToken, ...rest } = latest.current;
    const cashier = createCashier({
      ...withoutCallbacks(rest),
      container: container.current ?? undefined,
      getToken: getToken && (() => latest.current.getToken?.() ?? ''),
    });
    for (const [option, name] of Object.entries(callbackEvents)) {
      cashier.on(name, (detail) =>
        (latest.current[option as keyof typeof callbackEvents] as ((detail: unknown) => void) | undefined)?.(detail),
      );
    }
    handle.current = cashier;
    return () => {
      cashier.destroy();
      handle.current = undefined;
    };
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new handle (new key) must be opened as well
  useEffect(() => {
    if (open) handle.current?.open();
    else handle.current?.close();
  }, [open, key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new handle (new key) must be preloaded as well
  useEffect(() => {
    if (preload && !open) handle.current?.preload();
  }, [preload, open, key]);

  return <div ref={container} className={className} />;
}

function withoutCallbacks(options: Omit<CashierProps, 'getToken'>): CashierOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(callbackEvents, name)),
  ) as unknown as CashierOptions;
}
