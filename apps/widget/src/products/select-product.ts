/** The one place that compares `widgetViewType`. */
import type { WidgetViewType } from '@opencashier/contract/host';
import type { Product } from '../kit/product.ts';
import { cryptoBalanceProduct } from './crypto-balance.ts';
import { mainProduct } from './main.ts';
import { sweepstakeProduct } from './sweepstake/sweepstake.ts';

const products: Readonly<Record<WidgetViewType, Product>> = {
  main: mainProduct,
  cryptobalance: cryptoBalanceProduct,
  sweep: sweepstakeProduct,
};

export function selectProduct(widgetViewType: WidgetViewType): Product {
  return products[widgetViewType];
}
