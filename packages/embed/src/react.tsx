/** The SDK as a React component. */
import { useEffect, useRef } from 'react';
import type { Cashier as CashierHandle } from './cashier.ts';
import { connect, keyOf, type WrapperOptions } from './connect.ts';

export type { CashierProblem } from './events.ts';

export interface CashierProps extends WrapperOptions {
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
  const key = keyOf(options);

  useEffect(() => {
    latest.current = options;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for every option that is not a function
  useEffect(() => {
    const cashier = connect(() => latest.current, container.current ?? undefined);
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
