/**
 * The product of each `widgetViewType`. Only this table and `first-call.ts` depend on that type. The product of most hosts is
 * in the first load; the others are loaded when a host names them.
 */
import type { WidgetViewType } from '@opencashier/contract/host';
import type { Product } from '../kit/session/product.ts';
import { mainProduct } from './main.ts';

const products: Readonly<Record<WidgetViewType, () => Product | Promise<Product>>> = {
  main: () => mainProduct,
  cryptobalance: async () => (await import('./crypto-balance.ts')).cryptoBalanceProduct,
  sweep: async () => (await import('./sweepstake/sweepstake.ts')).sweepstakeProduct,
};

/** Rejects when the code of the product cannot be loaded. */
export async function selectProduct(widgetViewType: WidgetViewType): Promise<Product> {
  return products[widgetViewType]();
}
