/** Methods that look the same to a user share one tile (LIST-2). Inside, they are choices on one page. */
import type { MethodTile, PaymentMethod } from '@opencashier/contract/api';

/** A tile of the list: one method, or several methods under a shared title. */
export interface TileOfMethods {
  /** Absent: the tile of a single method. */
  readonly tile: MethodTile | undefined;
  /** Never empty; in the order of the list. */
  readonly methods: readonly [PaymentMethod, ...PaymentMethod[]];
}

/** A way to pay among the methods of a tile. */
export interface TileChoice {
  /** Absent: the choice is one method, under its own title. */
  readonly way: PaymentMethod['way'];
  /** The usable methods in the order of the list. The first method opens. */
  readonly methods: readonly [PaymentMethod, ...PaymentMethod[]];
}

/** Joins the methods with the same tile, at the place of the first. A method alone on a shared tile keeps its own tile. */
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
 * The choices among the methods of a tile. The choice that suits the device comes first.
 * A desktop shows a code for the phone's camera, and a phone opens the app.
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

/** The method that a tap on a tile opens: the first method that suits the device. */
export function methodOfTile(methods: TileOfMethods['methods'], isDesktop: boolean): PaymentMethod {
  return tileChoices(methods, isDesktop)[0]?.methods[0] ?? methods[0];
}

/**
 * Another method of the tile that accepts an amount which this method refuses. A method of the same way comes first.
 * @param takes whether a method accepts the amount
 */
export function otherMethodFor(
  choices: readonly TileChoice[],
  { name, way }: PaymentMethod,
  takes: (method: PaymentMethod) => boolean,
): PaymentMethod | undefined {
  const others = choices.flatMap(({ methods }) => methods).filter((other) => other.name !== name && takes(other));
  return others.find((other) => way !== undefined && other.way === way) ?? others[0];
}
