/**
 * Fair shares of due work. Every row belongs to a lane (a provider, an operator), and a node works on a limited number of rows of
 * each lane. A provider that hangs then blocks only its own lane.
 */

/** How many rows of each lane are in hand, as two arrays for SQL's `unnest`. */
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
 * The lanes that have waiting rows, as the body of a recursive query `lane(name)`. It reads the index once for each lane, however
 * many rows wait. The arguments become SQL text, so they must never be input.
 */
export function lanesOf(table: string, column: string, waiting: string): string {
  return `(select ${column} from ${table} where ${waiting} order by ${column} limit 1)
    union all
    select (select ${column} from ${table} where ${waiting} and ${column} > lane.name order by ${column} limit 1)
    from lane where lane.name is not null`;
}

/**
 * A sub-select that locks due rows and answers their keys: at most `$1` of each lane, less the rows in hand (`$2` names, `$3`
 * counts). The arguments become SQL text, so they must never be input.
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
