/** Where a tap on the drawn list leads. The page of the tapped method is then drawn at once, and the list is not taken over first. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { joinTiles, methodOfTile } from '@opencashier/core/methods/shared-tile';
import { fieldCode } from '../../kit/form/field-code.ts';
import { Guide } from '../../kit/method/guide-part.ts';
import { TileChoices } from '../../kit/method/tile-choices-part.ts';
import type { Product } from '../../kit/session/product.ts';
import type { LoadPart } from '../../kit/session/product-context.tsx';
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
  const methods = kind === 'method' ? methodsOfTile(name, list) : undefined;
  if (methods === undefined || methods.every(({ disabledReason }) => disabledReason !== undefined)) return undefined;
  return product.methodPath(tree, methodOfTile(methods, isAtDesktop));
}

function methodsOfTile(name: string, list: MethodList) {
  return joinTiles(list.methods, list.tiles).find(({ methods: [first] }) => first.name === name)?.methods;
}

/** The parts that the form of a tapped tile shows at once. Without them it could not answer what was pressed before. */
export function partsOfTap(opens: string, list: MethodList): LoadPart[] {
  const methods = opens.startsWith('method ') ? (methodsOfTile(opens.slice('method '.length), list) ?? []) : [];
  const has = (part: LoadPart, isShown: (method: PaymentMethod) => boolean) => (methods.some(isShown) ? [part] : []);
  return [
    ...has(TileChoices, ({ tile }) => tile !== undefined),
    ...has(Guide, ({ video_guide_url }) => video_guide_url !== undefined),
    ...has(fieldCode, ({ fields, flags }) => fields.length > 0 || flags.ownAmountRegex !== undefined),
  ];
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
