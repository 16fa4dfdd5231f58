import type { ScreenProps } from '../../kit/session/product.ts';
import { UpiPage } from '../../kit/upi/upi-page.tsx';

/** A UPI code to pay with (DEP-6). */
export function Screen({ params, query }: ScreenProps) {
  return <UpiPage params={params} query={query} />;
}
