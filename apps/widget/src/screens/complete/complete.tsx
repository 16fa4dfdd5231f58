import type { ScreenProps } from '../../kit/product.ts';
export function Screen(_props: ScreenProps) {
  return null;
}
