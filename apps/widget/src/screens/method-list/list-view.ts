/** What the list shows, without any drawing (LIST-2, LIST-6). */
import type { MethodList, PaymentGroup, PaymentMethod } from '@opencashier/contract/api';
import { methodLimits } from '@opencashier/core/limits/limits';
import { badgeOf } from '@opencashier/core/methods/card-view';
import {
  type MethodSection,
  methodSections,
  searchGroups,
  searchMethods,
} from '@opencashier/core/methods/method-sections';
import { joinTiles, type TileOfMethods } from '@opencashier/core/methods/shared-tile';
import { CRYPTO_GROUP, cryptoBonusText } from '../../kit/bonus/crypto-bonus.ts';
import {
  coinDetail,
  fromText,
  groupTitle,
  methodBounds,
  methodTitle,
  serverText,
} from '../../kit/method/method-text.ts';
import type { Session, Texts } from '../../kit/session/services.tsx';

export interface TileBadge {
  readonly tone: 'accent' | 'brand' | 'warn';
  readonly text: string;
}

export interface MethodTile {
  readonly kind: 'method';
  /** More than one if several methods share the tile. The kind of device decides which one it opens. */
  readonly methods: TileOfMethods['methods'];
  readonly title: string;
  readonly detail: string | undefined;
  readonly banner: string | undefined;
  readonly badge: TileBadge | undefined;
  readonly iconIds: readonly string[];
  readonly isDisabled: boolean;
  /** The wallet of the device that the tile needs. */
  readonly wallet: PaymentMethod['flags']['deviceWallet'];
}

export interface GroupTile {
  readonly kind: 'group';
  readonly group: PaymentGroup;
  readonly title: string;
  readonly detail: string;
  readonly badge: TileBadge | undefined;
  readonly iconIds: readonly string[];
}

export interface ListSection {
  readonly id: string;
  /** Absent for the only section of an ungrouped list. */
  readonly title: string | undefined;
  readonly tiles: readonly (MethodTile | GroupTile)[];
}

/** Tiles of methods in their order. Methods that name the same tile share it. */
export function methodTiles(
  methods: readonly PaymentMethod[],
  { tiles }: Pick<MethodList, 'tiles'>,
  session: Session,
  texts: Texts,
): MethodTile[] {
  return joinTiles(methods, tiles).map(({ tile, methods: inside }) => {
    // A shared tile shows the texts of one usable method: the one with the lowest minimum.
    const usable = inside.filter(({ disabledReason }) => disabledReason === undefined);
    const first =
      tile === undefined ? inside[0] : usable.reduce((a, b) => lower(a, b, session), usable[0] ?? inside[0]);
    const shown = methodTile(first, inside, session, texts);
    if (tile === undefined) return shown;
    const badge = usable.map((method) => badgeFor(method, texts)).find((found) => found !== undefined);
    return { ...shown, title: texts.pick(tile.text) || tile.name, iconIds: tile.iconIds, badge, wallet: undefined };
  });
}

function lower(a: PaymentMethod, b: PaymentMethod, { currency, country }: Session): PaymentMethod {
  const least = (method: PaymentMethod) =>
    methodLimits({ currency, country, rule: method.amount_rules[currency] }).min ?? 0n;
  return least(b) < least(a) ? b : a;
}

function methodTile(
  method: PaymentMethod,
  methods: TileOfMethods['methods'],
  session: Session,
  texts: Texts,
): MethodTile {
  const reason = method.disabledReason;
  return {
    kind: 'method',
    methods,
    title: methodTitle(method, texts),
    detail:
      reason === undefined
        ? coinDetail(method, fromText(methodBounds(method, session, texts), texts), texts)
        : (serverText(reason, texts) ?? texts.translate('list.disabled')),
    banner: serverText(method.banner?.bannerTextKey, texts),
    badge: badgeFor(method, texts),
    iconIds: method.iconIds,
    isDisabled: reason !== undefined,
    wallet: method.flags.deviceWallet,
  };
}

/** The wallets that tiles need, one for each such tile. */
export const walletsOf = (tiles: readonly (MethodTile | GroupTile)[]): string[] =>
  tiles.flatMap((tile) => (tile.kind === 'method' ? (tile.wallet ?? []) : []));

function badgeFor(method: PaymentMethod, texts: Texts): TileBadge | undefined {
  const badge = badgeOf(method);
  if (badge === undefined) return undefined;
  const own = method.badgeConfig?.text;
  const text = serverText(own, texts) ?? texts.translate(`list.badge.${badge}`);
  return { tone: badge === 'popular' ? 'accent' : badge === 'brand' ? 'brand' : 'warn', text };
}

function groupTile(
  { group, methods, iconIds }: MethodSection,
  { tiles }: Pick<MethodList, 'tiles'>,
  badge: TileBadge | undefined,
  texts: Texts,
): GroupTile {
  return {
    kind: 'group',
    group,
    title: groupTitle(group, texts),
    detail: texts.translate('list.methods', { count: joinTiles(methods, tiles).length }),
    badge,
    iconIds,
  };
}

/**
 * The sections of the first screen. A group with its own list is a tile. Adjacent tiles share a section, because a heading over a
 * single tile would repeat its name.
 */
export function listSections(list: MethodList, session: Session, texts: Texts): ListSection[] {
  const { sections, ungrouped } = methodSections(list);
  const bonus = cryptoBonusText(list, session);
  const cryptoBonus: TileBadge | undefined = bonus ? { tone: 'accent', text: bonus } : undefined;
  const shown: ListSection[] = [];
  let tiles: GroupTile[] = [];
  const flushTiles = () => {
    const [first] = tiles;
    if (first) shown.push({ id: `tiles-${first.group.name}`, title: texts.translate('list.more'), tiles });
    tiles = [];
  };
  for (const section of sections) {
    if (section.group.display === 'tile') {
      tiles.push(groupTile(section, list, section.group.name === CRYPTO_GROUP ? cryptoBonus : undefined, texts));
      continue;
    }
    flushTiles();
    shown.push({
      id: section.group.name,
      title: groupTitle(section.group, texts),
      tiles: methodTiles(section.methods, list, session, texts),
    });
  }
  flushTiles();
  if (ungrouped.length > 0) {
    shown.push({
      id: 'ungrouped',
      title: shown.length > 0 ? texts.translate('list.other') : undefined,
      tiles: methodTiles(ungrouped, list, session, texts),
    });
  }
  return oneOfEachTitle(shown);
}

/** Joins sections with the same title, because a screen reader's user cannot tell them apart (WCAG 1.3.1). */
function oneOfEachTitle(sections: readonly ListSection[]): ListSection[] {
  const joined = new Map<string, ListSection>();
  for (const section of sections) {
    const key = section.title?.toLocaleLowerCase() ?? '';
    const first = joined.get(key);
    joined.set(key, first ? { ...first, tiles: [...first.tiles, ...section.tiles] } : section);
  }
  return [...joined.values()];
}

/** The results of a search, in one section. */
export function foundSection(list: MethodList, query: string, session: Session, texts: Texts): ListSection {
  const groups = searchGroups(list, query, texts.locale).filter(({ group }) => group.display === 'tile');
  const methods = searchMethods(list.methods, query, texts.locale, list.tiles);
  const tiles = [
    ...groups.map((section) => groupTile(section, list, undefined, texts)),
    ...methodTiles(methods, list, session, texts),
  ];
  return { id: 'found', title: undefined, tiles };
}
