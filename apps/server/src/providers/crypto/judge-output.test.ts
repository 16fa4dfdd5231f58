import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from './chain/chain-source.ts';
import { judgeOutput, type KnownOutput, type Verdict } from './judge-output.ts';

const REQUIRED = 3;
const START = 50;

/** One payment and one chain, looked at by a watcher after every change. */
class Story {
  readonly #hashes = Array.from({ length: START }, (_, height) => `first-${height}`);
  #names = 0;
  /** Where the payment lies now. */
  #lies: Block | undefined;
  /** What the watcher has written down. */
  known: KnownOutput = { block: undefined, told: 'new', goneAtHeight: undefined };
  /** The tip's height when the payment was first seen to be away, counted apart from the watcher; while it is there: none. */
  leftAt = Number.POSITIVE_INFINITY;
  readonly verdicts: Verdict['kind'][] = [];

  get tip(): Block {
    return { height: this.#hashes.length - 1, hash: this.#hashes.at(-1) ?? '' };
  }

  get isInChain(): boolean {
    return this.#lies !== undefined;
  }

  hashAt(height: number): string | undefined {
    return this.#hashes[height];
  }

  mine(withPayment = false): void {
    this.#names += 1;
    this.#hashes.push(`block-${this.#names}`);
    if (withPayment && this.#lies === undefined) this.#lies = this.tip;
  }

  /** The last blocks give way to as many others and one more, the last of which may hold the payment again. */
  fork(depth: number, isMinedAgain: boolean): void {
    this.#hashes.length -= depth;
    const wasThere = this.#lies !== undefined;
    if (this.#lies !== undefined && this.#lies.height >= this.#hashes.length) this.#lies = undefined;
    for (let mined = 0; mined < depth; mined += 1) this.mine();
    this.mine(isMinedAgain && wasThere);
  }

  look(): Verdict {
    if (this.#lies !== undefined) this.known = { ...this.known, block: this.#lies };
    const { block } = this.known;
    const verdict = judgeOutput(this.known, {
      tip: this.tip,
      hashThere: block === undefined ? undefined : this.hashAt(block.height),
      required: REQUIRED,
    });
    const { told } = this.known;
    if (verdict.kind === 'missing') this.#note(told, this.known.goneAtHeight ?? this.tip.height);
    else if (verdict.kind === 'pending') this.#note(told === 'new' || told === 'gone' ? 'seen' : told, undefined);
    else if (verdict.kind === 'paid') this.#note(told === 'taken-back' ? told : 'paid', undefined);
    else if (verdict.kind !== 'unasked')
      this.#note(verdict.kind === 'gone' ? 'gone' : 'taken-back', this.known.goneAtHeight);
    this.verdicts.push(verdict.kind);
    return verdict;
  }

  #note(told: KnownOutput['told'], goneAtHeight: number | undefined): void {
    this.known = { ...this.known, told, goneAtHeight };
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'mine' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'pay' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fork' as const),
      depth: fc.integer({ min: 1, max: REQUIRED * 2 }),
      isMinedAgain: fc.boolean(),
    }),
  },
);

describe('[SRV-4] [CRY-2] what a chain says of a payment', () => {
  test('in any order of blocks and forks: paid only deep in the chain as it is, taken back only after long without it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const story = new Story();
        for (const change of steps) {
          const before = story.known;
          if (change.kind === 'fork') story.fork(change.depth, change.isMinedAgain);
          else story.mine(change.kind === 'pay');
          story.leftAt = story.isInChain ? Number.POSITIVE_INFINITY : Math.min(story.leftAt, story.tip.height);
          const verdict = story.look();
          const { block } = story.known;
          if (verdict.kind === 'paid') {
            expect(block && story.hashAt(block.height)).toBe(block?.hash);
            expect(verdict.confirmations).toBe(story.tip.height - (block?.height ?? 0) + 1);
            expect(verdict.confirmations).toBeGreaterThanOrEqual(REQUIRED);
          }
          if (verdict.kind === 'pending') expect(verdict.confirmations).toBeLessThan(REQUIRED);
          if (verdict.kind === 'missing') expect(story.isInChain).toBe(false);
          if (verdict.kind === 'gone') {
            expect(before.told).toBe('seen');
            expect(story.isInChain).toBe(false);
            expect(story.tip.height - story.leftAt).toBeGreaterThanOrEqual(REQUIRED);
          }
          if (verdict.kind === 'taken-back') {
            expect(before.told).toBe('paid');
            expect(story.isInChain).toBe(false);
            expect(story.tip.height - story.leftAt).toBeGreaterThanOrEqual(REQUIRED);
          }
        }
        expect(story.verdicts.filter((kind) => kind === 'taken-back').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a chain that grows in peace comes to a decision: credited where it holds the payment, taken back where it does not', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const story = new Story();
        for (const change of steps) {
          if (change.kind === 'fork') story.fork(change.depth, change.isMinedAgain);
          else story.mine(change.kind === 'pay');
          story.look();
        }
        const { told } = story.known;
        for (let mined = 0; mined <= REQUIRED; mined += 1) {
          story.mine();
          story.look();
        }
        if (told === 'taken-back') expect(story.known.told).toBe('taken-back');
        else if (story.isInChain) expect(story.known.told).toBe('paid');
        else expect(story.known.told).toBe({ paid: 'taken-back', seen: 'gone' }[told as string] ?? told);
      }),
    );
  });

  test.each([
    [1, 'pending'],
    [REQUIRED - 1, 'pending'],
    [REQUIRED, 'paid'],
  ])('%i blocks deep is %s', (deep, kind) => {
    const story = new Story();
    story.mine(true);
    for (let mined = 1; mined < deep; mined += 1) story.mine();
    expect(story.look()).toMatchObject({ kind, confirmations: deep });
  });

  test('a payment in no block waits while the node tells of it, and is gone when a block later it still does not', () => {
    const view = { tip: { height: 9, hash: 'h' }, hashThere: undefined, required: REQUIRED };
    const known: KnownOutput = { block: undefined, told: 'seen', goneAtHeight: undefined };
    expect(judgeOutput(known, { ...view, isWaiting: true })).toEqual({ kind: 'pending', confirmations: 0 });
    expect(judgeOutput(known, { ...view, isWaiting: false })).toEqual({ kind: 'missing' });
    const missing: KnownOutput = { ...known, goneAtHeight: 9 };
    expect(judgeOutput(missing, { ...view, isWaiting: false })).toEqual({ kind: 'missing' });
    const later = { ...view, tip: { height: 10, hash: 'i' } };
    expect(judgeOutput(missing, { ...later, isWaiting: false })).toEqual({ kind: 'gone' });
    // Nobody asked, and nobody was told of it: nothing follows.
    expect(judgeOutput(missing, later)).toEqual({ kind: 'unasked' });
    expect(judgeOutput({ ...missing, told: 'gone' }, { ...later, isWaiting: false })).toEqual({ kind: 'missing' });
  });

  test('a node that starts anew and has not reached the block takes nothing back', () => {
    const known: KnownOutput = { block: { height: 1000, hash: 'there' }, told: 'paid', goneAtHeight: 5 };
    for (const height of [6, 500, 999, 1000 + REQUIRED - 1]) {
      const view = { tip: { height, hash: 'h' }, hashThere: undefined, required: REQUIRED };
      expect(judgeOutput(known, view)).toEqual({ kind: 'missing' });
    }
    const beyond = { tip: { height: 1000 + REQUIRED, hash: 'h' }, required: REQUIRED };
    expect(judgeOutput(known, { ...beyond, hashThere: 'other' })).toEqual({ kind: 'taken-back' });
  });

  test.each([
    [REQUIRED * 6 - 1, false],
    [REQUIRED * 6, true],
  ])('%i blocks deep: settled is %s', (deep, isSettled) => {
    const known: KnownOutput = { block: { height: 100, hash: 'there' }, told: 'paid', goneAtHeight: undefined };
    const tip = { height: 100 + deep - 1, hash: 'h' };
    expect(judgeOutput(known, { tip, hashThere: 'there', required: REQUIRED })).toMatchObject({
      kind: 'paid',
      isSettled,
    });
  });
});
