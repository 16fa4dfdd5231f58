/** Bounds the values of labels, so that no caller, operator or provider can create series without end. */

/** The value of a label that stands for all values without a place. */
export const OTHER = 'other';

/** Chooses the value under which a label is counted. */
export type LabelValues = (value: string) => string;

/** Only these values; any other counts as `other`. */
export function oneOf(values: Iterable<string>): LabelValues {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : OTHER);
}

/** The first `most` different values; all later ones count as `other`. */
export function first(most: number): LabelValues {
  const known = new Set<string>();
  return (value) => {
    if (known.size < most) known.add(value);
    return known.has(value) ? value : OTHER;
  };
}
