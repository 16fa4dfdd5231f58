/** Lists in `operator.settings`. A restored database, or SQL, may have entries that this build cannot use. */
import * as v from 'valibot';

/**
 * Reads the list `settings[name]`. An entry that does not fit the schema is left out and reported.
 * @param onInvalid gets the place of each such entry
 */
export function readStoredList<Schema extends v.GenericSchema>(
  settings: unknown,
  name: string,
  schema: Schema,
  onInvalid: (index: number) => void,
): readonly v.InferOutput<Schema>[] {
  const list = typeof settings === 'object' && settings !== null && (settings as Record<string, unknown>)[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) => {
    const parsed = v.safeParse(schema, entry);
    if (parsed.success) return [parsed.output];
    onInvalid(index);
    return [];
  });
}
