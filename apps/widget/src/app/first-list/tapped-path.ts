/** Where a tap on the drawn list leads. The page of the tapped method is then drawn at once, and the list is not taken over first. */
import type { MethodList } from '@opencashier/contract/api';
import { joinTiles, methodOfTile } from '@opencashier/core/methods/shared-tile';
import type { Product } from '../../kit/session/product.ts';
import { isDesktop } from '../../kit/session/use-desktop.ts';

/**
 * @param opens what the tapped control opens, as its attribute `data-opens` says
 * @returns undefined for a control that opens no page of its own, such as a disabled method
 */
export function tappedPath(
  opens: string,
  list: MethodList,
  tree: string,
  product: Pick<Product, 'methodPath' | 'groupPath'>,
  isAtDesktop: boolean = isDesktop(),
): string | undefined {
  const [, kind, name = ''] = /^(group|method) (.+)$/.exec(opens) ?? [];
  if (kind === 'group') return product.groupPath(tree, name);
  if (kind !== 'method') return undefined;
  const tile = joinTiles(list.methods, list.tiles).find(({ methods: [first] }) => first.name === name);
  if (tile === undefined || tile.methods.every(({ disabledReason }) => disabledReason !== undefined)) return undefined;
  return product.methodPath(tree, methodOfTile(tile.methods, isAtDesktop));
}

/**
 * The page of the last tap, when its code is there. Another tap may come meanwhile: then that one counts.
 *
 * @param tapped what was tapped last (`data-opens`)
 * @param load loads the page of a tap, and answers its path; undefined when it opens no page of its own
 */
export async function loadedTap(
  tapped: () => string | undefined,
  load: (opens: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (;;) {
    const opens = tapped();
    if (opens === undefined) return undefined;
    const path = await load(opens);
    if (path === undefined || tapped() === opens) return path;
  }
}
