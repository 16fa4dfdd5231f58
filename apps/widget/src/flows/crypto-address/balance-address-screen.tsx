import type { ScreenProps } from '../../kit/product.ts';
import { Screen as AddressScreen } from './address-screen.tsx';

/** The address beside a balance of coins: a smaller code (§2: 100 px). */
export function Screen(props: ScreenProps) {
  return <AddressScreen {...props} codeSize="small" />;
}
