/** Methods that a person cannot tell apart stand behind one tile (LIST-2); inside they are choices of one page. */
import type { MethodTile, PaymentMethod } from '@opencashier/contract/api';

/** A tile of the list: one method, or several under a title of their own. */
export interface TileOfMethods {
  /** Absent: the tile is its one method's own. */
  readonly tile: MethodTile | undefined;
  /** Never empty; in the order of the list. */
  readonly methods: readonly [PaymentMethod, ...PaymentMethod[]];
}

/** One way to pay among the methods of a tile. */
export interface TileChoice {
  /** Absent: the one method is the choice, under its own title. */
  readonly way: PaymentMethod['way'];
  /** Usable ones, in the order of the list; the first is the one to open. */
  readonly methods: readonly [PaymentMethod, ...PaymentMethod[]];
}

/** Joins methods that name one tile where the first of them stands. A method alone behind a tile keeps its own. */
export function joinTiles(methods: readonly PaymentMethod[], tiles: readonly MethodTile[] = []): TileOfMethods[] {
  const done = new Set<string>();
  return methods.flatMap((method): TileOfMethods[] => {
    const tile = tiles.find(({ name }) => name === method.tile);
    if (tile === undefined) return [{ tile, methods: [method] }];
    if (done.has(tile.name)) return [];
    done.add(tile.name);
    const others = methods.filter((other) => other !== method && other.tile === tile.name);
    return [{ tile: others.length > 0 ? tile : undefined, methods: [method, ...others] }];
  });
}

/**
 * The choices among methods of a tile, the device's own way first: a code that is on a desktop's screen is scanned by a phone, and
 * an application is on the phone itself.
 */
export function tileChoices(methods: readonly PaymentMethod[], isDesktop: boolean): TileChoice[] {
  const choices: TileChoice[] = [];
  for (const method of methods) {
    if (method.disabledReason !== undefined) continue;
    const { way } = method;
    const at = way === undefined ? -1 : choices.findIndex((choice) => choice.way === way);
    const known = choices[at];
    if (known === undefined) choices.push({ way, methods: [method] });
    else choices[at] = { way, methods: [...known.methods, method] };
  }
  const own = isDesktop ? 'code' : 'app';
  return [...choices.filter(({ way }) => way === own), ...choices.filter(({ way }) => way !== own)];
}

/** The method that a tap on a tile opens: the first of the device's own way. */
export function methodOfTile(methods: TileOfMethods['methods'], isDesktop: boolean): PaymentMethod {
  return tileChoices(methods, isDesktop)[0]?.methods[0] ?? methods[0];
}

/**
 * Another method of the tile that takes an amount which this one does not: of the same way before one of another.
 * @param takes whether a method takes the amount
 */
export function otherThatTakes(
  choices: readonly TileChoice[],
  { name, way }: PaymentMethod,
  takes: (method: PaymentMethod) => boolean,
): PaymentMethod | undefined {
  const others = choices.flatMap(({ methods }) => methods).filter((other) => other.name !== name && takes(other));
  return others.find((other) => way !== undefined && other.way === way) ?? others[0];
}
