/** Bounds the values of labels, so that no caller, operator or provider can create series without end. */

/** The value of a label that stands for all values without a place. */
const OTHER = 'other';

/** Chooses the value under which a label is counted. */
export interface LabelValues {
  (value: string): string;
  /** All values, if they are known before the first fact. */
  readonly all?: readonly string[];
}

/** Only these values; any other counts as `other`. */
export function oneOf(values: Iterable<string>): LabelValues {
  const known = new Set(values);
  const bound = (value: string): string => (known.has(value) ? value : OTHER);
  return Object.assign(bound, { all: [...known] });
}

/** The first `most` different values; all later ones count as `other`. */
export function first(most: number): LabelValues {
  const known = new Set<string>();
  return (value) => {
    if (known.size < most) known.add(value);
    return known.has(value) ? value : OTHER;
  };
}
