import { sweepstakeBoxes } from '@opencashier/contract/api';
import { type BoxRow, boxesOf, boxView } from '../../sweepstake/box-store.ts';
import { answer } from '../handler/call.ts';

/** Coin boxes on sale, in their groups. Boxes that are sold out stay in the list (SWP-1). */
export const sweepstakeBoxesHandler = answer(sweepstakeBoxes, async (_request, { caller }, { database }) => {
  const groups = new Map<string, BoxRow[]>();
  for (const row of await boxesOf(database, caller.operatorId)) {
    if (!row.isOnSale) continue;
    const group = groups.get(row.group) ?? [];
    group.push(row);
    groups.set(row.group, group);
  }
  const boxes = [...groups].map(([name, rows]) => ({ ...(name !== '' && { name }), boxes: rows.map(boxView) }));
  return { boxes };
});
