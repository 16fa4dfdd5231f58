/** What a product asks the server first: the boot sends it while the product's own code is still on its way. */
import type { WidgetViewType } from '@opencashier/contract/host';

/** Whether the deposits of a product begin with the list of methods. The sweepstake begins with coin boxes. */
export const beginsWithMethods: Readonly<Record<WidgetViewType, boolean>> = {
  main: true,
  cryptobalance: true,
  sweep: false,
};
