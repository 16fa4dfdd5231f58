import type { ScreenProps } from '../../kit/session/product.ts';
import { UpiPage } from '../../kit/upi/upi-page.tsx';

/** UPI by its code (DEP-6). */
export function Screen({ params, query }: ScreenProps) {
  return <UpiPage params={params} query={query} />;
}
