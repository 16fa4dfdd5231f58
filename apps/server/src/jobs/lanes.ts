/**
 * Fair shares of due work. Rows belong to lanes (a provider, an operator), and each lane has a number of places at every node, so
 * that one that hangs keeps only its own places and holds up nobody else.
 */

/** How many places of each lane are taken, as two arrays for SQL's `unnest`. */
export interface PlacesTaken {
  readonly names: readonly string[];
  readonly counts: readonly number[];
}

export function placesTaken(lanesOfItems: readonly string[]): PlacesTaken {
  const taken = new Map<string, number>();
  for (const name of lanesOfItems) taken.set(name, (taken.get(name) ?? 0) + 1);
  return { names: [...taken.keys()], counts: [...taken.values()] };
}

/**
 * The lanes that have waiting rows, as the body of a recursive query `lane(name)`: one look into the index for each lane, however
 * many rows wait. All arguments are our own words, never input.
 */
export function lanesOf(table: string, column: string, waiting: string): string {
  return `(select ${column} from ${table} where ${waiting} order by ${column} limit 1)
    union all
    select (select ${column} from ${table} where ${waiting} and ${column} > lane.name order by ${column} limit 1)
    from lane where lane.name is not null`;
}

/**
 * A sub-select of the keys of due rows, locked: at most `$1` of each lane, less the places that are taken of it (`$2` names, `$3`
 * counts). All arguments are our own words, never input.
 * @param query.waiting the condition of the index that begins with the lane's column
 */
export function dueByLane(query: {
  readonly table: string;
  readonly column: string;
  readonly waiting: string;
  readonly due: string;
  readonly order: string;
  readonly key?: string;
}): string {
  const { table, column, waiting, due, order, key = 'id' } = query;
  return `with recursive lane(name) as (${lanesOf(table, column, waiting)})
    select due.* from lane
      left join unnest($2::text[], $3::int[]) taken(name, places) on taken.name = lane.name
      cross join lateral (
        select ${key} from ${table} where ${column} = lane.name and ${waiting} and ${due}
        order by ${order} limit greatest(0, $1::int - coalesce(taken.places, 0)) for update skip locked
      ) due`;
}
