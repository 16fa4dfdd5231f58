/** The first call of each product. Boot sends it while the code of the product is being loaded, so this file has none of it. */
import type { WidgetViewType } from '@opencashier/contract/host';

/** Whether the deposits of a product begin with the list of methods. The sweepstake begins with coin boxes. */
export const beginsWithMethods: Readonly<Record<WidgetViewType, boolean>> = {
  main: true,
  cryptobalance: true,
  sweep: false,
};
