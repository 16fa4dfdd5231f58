/** The known name that a misspelt one most likely means, for a message to whoever wrote it. */

/** @returns undefined when no name is close: at most two edits, or a third of the letters */
function nearestName(name: string, known: Iterable<string>): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 3));
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (edits <= most && edits < (best?.edits ?? most + 1)) best = { name: candidate, edits };
  }
  return best?.name;
}

/** ` Did you mean card?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Letters to change, add, leave out or swap with their neighbour (Damerau and Levenshtein, each place once). */
export function editsBetween(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
