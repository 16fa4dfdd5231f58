import { readShape, type Shape } from './regex-shape.ts';

/**
 * The number of ways to split a text, in bits, summed along a path through the pattern. An unlimited repeat counts 7 bits.
 * 2^21 steps are three such repeats in a row on the longest tested text. That takes less than 50 ms.
 */
const BUDGET_BITS = 21;
const WIDE_BITS = 7;
/** A group that repeats more often than this must be unambiguous. With fewer repeats the bits are added up. */
const FEW_COPIES = 3;
const LARGEST_COUNT = 1000;
/** The greatest number of alternative paths. A pattern with more paths is refused. */
const MAX_PATHS = 200;

/** Sample characters that show whether two character classes overlap, beside the characters of the pattern itself. */
const COMMON_CHARACTERS = `${range(0x00, 0x17f)}${range(0x400, 0x45f)}${range(0x660, 0x669)}${range(0x966, 0x96f)}’‘–—₹€中日あ가ا한😀`;

/** A repeated group, or a similar shape, that can split a text in exponentially many ways. */
class UnsafeShape extends Error {}

/**
 * Whether a pattern from data can run on short texts without freezing the page (FORM-2).
 * A static check refuses every shape whose backtracking grows exponentially or faster than the third power.
 * Refused shapes: ambiguous repeats in repeats, overlapping alternatives that repeat, back-references, and long chains
 * of overlapping repeats or options.
 * The check may refuse a harmless pattern. It must not accept a harmful pattern.
 * @param pattern compiles with the `u` flag
 */
export function isSafePattern(pattern: string): boolean {
  const samples = COMMON_CHARACTERS + neighbours(pattern);
  try {
    const branches = readShape(pattern);
    const isAnchored = branches.every((branch) => branch[0]?.kind === 'anchor' && branch[0].source === '^');
    return analyse(branches, samples).bits + (isAnchored ? 0 : WIDE_BITS) <= BUDGET_BITS;
  } catch (error) {
    if (error instanceof UnsafeShape) return false;
    throw error;
  }
}

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/** The characters of a pattern, including escaped ones, and their neighbours, because ranges begin and end there. */
function neighbours(pattern: string): string {
  const escaped = [...pattern.matchAll(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})/gi)].map((match) =>
    Number.parseInt(match[1] ?? match[2] ?? '0', 16),
  );
  const codes = [...[...pattern].map((char) => char.codePointAt(0) ?? 0), ...escaped];
  const near = codes.flatMap((code) => [code - 1, code, code + 1]).filter((code) => code >= 0 && code <= 0x10ffff);
  return String.fromCodePoint(...near.filter((code) => code < 0xd800 || code > 0xdfff));
}

function charactersOf(source: string, samples: string): ReadonlySet<string> {
  return new Set(samples.match(new RegExp(source, 'gu')) ?? []);
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  for (const char of left) if (right.has(char)) return true;
  return false;
}

type Branch = readonly Shape[];

/** The worst cost so far: bits of choice, and the number of choices in a row. */
interface Cost {
  readonly bits: number;
  readonly choices: number;
}

/** One path through a pattern: the open choices, and the characters that any of them can match. */
interface Path extends Cost {
  readonly last: ReadonlySet<string>;
}

const START: Path = { bits: 0, choices: 0, last: new Set() };

function analyse(branches: readonly Branch[], samples: string): Cost {
  const worst = { bits: 0, choices: 0 };
  walkBranches(branches, [START], samples, worst);
  return worst;
}

function walkBranches(branches: readonly Branch[], paths: readonly Path[], samples: string, worst: Worst): Path[] {
  const isFree = branches.length > 1 && !beginDifferently(branches, samples);
  const entered = isFree ? paths.map((path) => open(path, Math.log2(branches.length), new Set(), worst)) : paths;
  const left = branches.flatMap((branch) => walk(branch, entered, samples, worst));
  if (left.length > MAX_PATHS) throw new UnsafeShape();
  return left;
}

type Worst = { -readonly [Key in keyof Cost]: Cost[Key] };

function walk(branch: Branch, entered: readonly Path[], samples: string, worst: Worst): Path[] {
  let paths = [...entered];
  for (const shape of branch) {
    assertCountable(shape);
    if (shape.kind === 'atom') {
      const characters = charactersOf(shape.source, samples);
      paths = paths.map((path) => open(settle(path, shape, characters), bitsOf(shape), characters, worst));
    } else if (shape.kind === 'look') {
      const inner = analyse(shape.branches, samples);
      worst.bits = Math.max(worst.bits, inner.bits);
      worst.choices = Math.max(worst.choices, inner.choices);
    } else if (shape.kind === 'group' && shape.max <= 1) {
      const through = walkBranches(shape.branches, paths, samples, worst);
      // A path may also skip an optional group.
      paths = shape.min === 1 ? through : [...through, ...paths].map((path) => open(path, 1, new Set(), worst));
    } else if (shape.kind === 'group') {
      const bits = bitsOfRepeatedGroup(shape, samples);
      const characters = allCharacters(shape.branches, samples);
      paths = paths.map((path) => open(path, bits, characters, worst));
    }
    if (paths.length > MAX_PATHS) throw new UnsafeShape();
  }
  return paths;
}

/** A mandatory character that no open choice can match settles all choices, because it fixes where they stop. */
function settle(path: Path, shape: Shape, characters: ReadonlySet<string>): Path {
  return shape.min > 0 && !overlap(characters, path.last) ? START : path;
}

function open(path: Path, bits: number, characters: ReadonlySet<string>, worst: Worst): Path {
  if (bits === 0) return path;
  const next = { bits: path.bits + bits, choices: path.choices + 1, last: new Set([...path.last, ...characters]) };
  worst.bits = Math.max(worst.bits, next.bits);
  worst.choices = Math.max(worst.choices, next.choices);
  return next;
}

function bitsOf({ min, max }: Shape): number {
  return Math.min(WIDE_BITS, Math.log2(max - min + 1));
}

function assertCountable(shape: Shape): void {
  if (shape.kind === 'backreference') throw new UnsafeShape();
  if (shape.min > LARGEST_COUNT || (Number.isFinite(shape.max) && shape.max > LARGEST_COUNT)) throw new UnsafeShape();
  if (shape.kind === 'look' && shape.max > 1) throw new UnsafeShape();
}

type Group = Extract<Shape, { branches: unknown }>;

function bitsOfRepeatedGroup(group: Group, samples: string): number {
  const inner = analyse(group.branches, samples);
  if (group.max <= FEW_COPIES) return inner.bits * group.max + bitsOf(group);
  // Choices multiply when a group with several choices repeats. A single choice between clear boundaries does not.
  if (inner.choices > 1) throw new UnsafeShape();
  assertUnambiguous(group, samples);
  return inner.choices === 0 ? bitsOf(group) : WIDE_BITS;
}

/**
 * Each repeat of a group must have a visible start or end. No repeat may be empty, and the branches must begin differently.
 * A branch with its own repeats needs a fixed first or last character that occurs nowhere else in the group.
 */
function assertUnambiguous({ branches }: Group, samples: string): void {
  if (!beginDifferently(branches, samples)) throw new UnsafeShape();
  for (const branch of branches.map(flatten)) {
    const isFixed = branch.every((shape) => shape.kind === 'atom' && shape.min === shape.max);
    if (!isFixed && !isDelimited(branch, branches, samples)) throw new UnsafeShape();
  }
}

/** A group without a repeat and with one branch is only a pair of brackets. */
function flatten(branch: Branch): Branch {
  return branch.flatMap((shape) => {
    const isBracket = shape.kind === 'group' && shape.min === 1 && shape.max === 1 && shape.branches.length === 1;
    return isBracket ? flatten(shape.branches[0] ?? []) : [shape];
  });
}

/** Whether the first character decides the branch. A branch that may be empty, or has an open start, decides nothing. */
function beginDifferently(branches: readonly Branch[], samples: string): boolean {
  const firsts = branches.map((branch) => firstCharacters(flatten(branch), samples));
  return firsts.every(
    (first, index) =>
      first !== undefined && firsts.slice(index + 1).every((other) => other !== undefined && !overlap(first, other)),
  );
}

function firstCharacters(branch: Branch, samples: string): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const shape of branch) {
    if (shape.kind !== 'atom') return undefined;
    for (const char of charactersOf(shape.source, samples)) found.add(char);
    if (shape.min > 0) return found;
  }
  return undefined;
}

function isDelimited(branch: Branch, branches: readonly Branch[], samples: string): boolean {
  return [branch[0], branch.at(-1)].some((mark) => {
    if (mark?.kind !== 'atom' || mark.min < 1 || mark.min !== mark.max) return false;
    const others = branches.flatMap((other) => flatten(other)).filter((shape) => shape !== mark);
    return !overlap(charactersOf(mark.source, samples), allCharacters([others], samples));
  });
}

function allCharacters(branches: readonly Branch[], samples: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const shape of branches.flat()) {
    const inner = 'branches' in shape ? allCharacters(shape.branches, samples) : [];
    for (const char of shape.kind === 'atom' ? charactersOf(shape.source, samples) : inner) found.add(char);
  }
  return found;
}
