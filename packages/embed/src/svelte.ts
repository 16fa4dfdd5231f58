/** The SDK as an action of Svelte: `<div use:cashier={{ cashierUrl, partner, … }}></div>`. An action needs nothing of Svelte. */
import type { Cashier } from './cashier.ts';
import { connect, keyOf, type WrapperOptions } from './connect.ts';

export interface CashierParameters extends WrapperOptions {
  /** Modal only: whether it is shown; default true. Set it to false in `onClose`. */
  open?: boolean | undefined;
  /** Whether to load it while it is not shown. Set it when the user may be about to open it. */
  preload?: boolean | undefined;
}

/** What Svelte calls when the parameters change, and when the element goes. */
export interface CashierAction {
  update(parameters: CashierParameters): void;
  destroy(): void;
}

/**
 * Shows the cashier in `node`, or as a modal while `open` is true. Callbacks may be replaced at any time; a change of any other option
 * starts the cashier again.
 */
export function cashier(node: HTMLElement, parameters: CashierParameters): CashierAction {
  let { open: isShown = true, preload: isPreloaded = false, ...options } = parameters;
  let handle = begin();

  function begin(): Cashier {
    const started = connect(() => options, node);
    if (isShown) started.open();
    else if (isPreloaded) started.preload();
    return started;
  }

  return {
    update({ open = true, preload = false, ...next }) {
      const isSame = keyOf(next) === keyOf(options);
      const wasShown = isShown;
      isShown = open;
      isPreloaded = preload;
      options = next;
      if (!isSame) {
        handle.destroy();
        handle = begin();
      } else if (open !== wasShown) {
        if (open) handle.open();
        else handle.close();
      } else if (preload && !open) handle.preload();
    },
    destroy: () => handle.destroy(),
  };
}
