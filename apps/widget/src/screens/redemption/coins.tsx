import type { ScreenProps } from '../../kit/session/product.ts';
import { Offered } from '../box-order/offered.tsx';
import { Screen as Group } from '../group/group.tsx';

/** The group of the catalogue whose methods pay out coins (§3 'Payment group'). */
const coins = 'crypto';

/** The coins that sweep coins can be redeemed for (SWP-2). */
export function Screen(props: ScreenProps) {
  return (
    <Offered needs="group" name={coins} elsewhere="">
      <Group {...props} params={{ ...props.params, group: coins }} />
    </Offered>
  );
}
