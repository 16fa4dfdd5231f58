/** The product of each `widgetViewType`; `first-call.ts` is the other table by it, and nothing compares it. What most hosts show is in the first load; the others are fetched when named. */
import type { WidgetViewType } from '@opencashier/contract/host';
import type { Product } from '../kit/session/product.ts';
import { mainProduct } from './main.ts';

const products: Readonly<Record<WidgetViewType, () => Product | Promise<Product>>> = {
  main: () => mainProduct,
  cryptobalance: async () => (await import('./crypto-balance.ts')).cryptoBalanceProduct,
  sweep: async () => (await import('./sweepstake/sweepstake.ts')).sweepstakeProduct,
};

/** Rejects when the product's code cannot be had. */
export async function selectProduct(widgetViewType: WidgetViewType): Promise<Product> {
  return products[widgetViewType]();
}
