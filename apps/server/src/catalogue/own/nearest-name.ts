/** The known name that a misspelt one most likely means. */

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

/** Levenshtein's distance: insertions, deletions and replacements of letters. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
