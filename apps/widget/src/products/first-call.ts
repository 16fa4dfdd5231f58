/** The first call of each product. Boot sends it while the code of the product is being loaded, so this file has none of it. */
import type { WidgetViewType } from '@opencashier/contract/host';

/** Whether the deposits of a product begin with the list of methods. The sweepstake begins with coin boxes. */
export const beginsWithMethods: Readonly<Record<WidgetViewType, boolean>> = {
  main: true,
  cryptobalance: true,
  sweep: false,
};

/** Whether the server draws the first list of a product into the page. It draws the lists of methods at `/deposit` and `/withdrawal`. */
export const isDrawnByServer: Readonly<Record<WidgetViewType, boolean>> = {
  main: true,
  cryptobalance: false,
  sweep: false,
};
