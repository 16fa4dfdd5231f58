import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from './chain/chain-source.ts';
import { judgeOutput, type KnownOutput, type Verdict } from './judge-output.ts';

const REQUIRED = 3;
const START = 50;

/** One payment and one chain. A watcher judges the payment after every change of the chain. */
class Story {
  readonly #hashes = Array.from({ length: START }, (_, height) => `first-${height}`);
  #names = 0;
  /** The block that holds the payment now. */
  #lies: Block | undefined;
  /** What the watcher has stored. */
  known: KnownOutput = { block: undefined, reported: 'new', goneAtHeight: undefined };
  /** The tip's height when the payment went missing, counted apart from the watcher. Infinity while it is there. */
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

  /** Replaces the last blocks by as many others and one more. The last one may hold the payment again. */
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
    const { reported } = this.known;
    if (verdict.kind === 'missing') this.#note(reported, this.known.goneAtHeight ?? this.tip.height);
    else if (verdict.kind === 'pending')
      this.#note(reported === 'new' || reported === 'gone' ? 'seen' : reported, undefined);
    else if (verdict.kind === 'paid') this.#note(reported === 'taken-back' ? reported : 'paid', undefined);
    else if (verdict.kind !== 'unasked')
      this.#note(verdict.kind === 'gone' ? 'gone' : 'taken-back', this.known.goneAtHeight);
    this.verdicts.push(verdict.kind);
    return verdict;
  }

  #note(reported: KnownOutput['reported'], goneAtHeight: number | undefined): void {
    this.known = { ...this.known, reported, goneAtHeight };
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

describe('[SRV-4] [CRY-2] the verdict on a payment', () => {
  test('in any order of blocks and forks, is paid only with enough confirmations and taken back only after enough blocks without it', () => {
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
            expect(before.reported).toBe('seen');
            expect(story.isInChain).toBe(false);
            expect(story.tip.height - story.leftAt).toBeGreaterThanOrEqual(REQUIRED);
          }
          if (verdict.kind === 'taken-back') {
            expect(before.reported).toBe('paid');
            expect(story.isInChain).toBe(false);
            expect(story.tip.height - story.leftAt).toBeGreaterThanOrEqual(REQUIRED);
          }
        }
        expect(story.verdicts.filter((kind) => kind === 'taken-back').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('becomes final once the chain grows without forks: credited where the payment is in it, taken back where it is not', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const story = new Story();
        for (const change of steps) {
          if (change.kind === 'fork') story.fork(change.depth, change.isMinedAgain);
          else story.mine(change.kind === 'pay');
          story.look();
        }
        const { reported } = story.known;
        for (let mined = 0; mined <= REQUIRED; mined += 1) {
          story.mine();
          story.look();
        }
        if (reported === 'taken-back') expect(story.known.reported).toBe('taken-back');
        else if (story.isInChain) expect(story.known.reported).toBe('paid');
        else expect(story.known.reported).toBe({ paid: 'taken-back', seen: 'gone' }[reported as string] ?? reported);
      }),
    );
  });

  test.each([
    [1, 'pending'],
    [REQUIRED - 1, 'pending'],
    [REQUIRED, 'paid'],
  ])('with %i confirmations is %s', (deep, kind) => {
    const story = new Story();
    story.mine(true);
    for (let mined = 1; mined < deep; mined += 1) story.mine();
    expect(story.look()).toMatchObject({ kind, confirmations: deep });
  });

  test('of an unconfirmed payment is pending while the node has it, and gone when it is still missing a block later', () => {
    const view = { tip: { height: 9, hash: 'h' }, hashThere: undefined, required: REQUIRED };
    const known: KnownOutput = { block: undefined, reported: 'seen', goneAtHeight: undefined };
    expect(judgeOutput(known, { ...view, isWaiting: true })).toEqual({ kind: 'pending', confirmations: 0 });
    expect(judgeOutput(known, { ...view, isWaiting: false })).toEqual({ kind: 'missing' });
    const missing: KnownOutput = { ...known, goneAtHeight: 9 };
    expect(judgeOutput(missing, { ...view, isWaiting: false })).toEqual({ kind: 'missing' });
    const later = { ...view, tip: { height: 10, hash: 'i' } };
    expect(judgeOutput(missing, { ...later, isWaiting: false })).toEqual({ kind: 'gone' });
    // The node was not asked, so nothing follows.
    expect(judgeOutput(missing, later)).toEqual({ kind: 'unasked' });
    expect(judgeOutput({ ...missing, reported: 'gone' }, { ...later, isWaiting: false })).toEqual({ kind: 'missing' });
  });

  test('takes nothing back while a new node has not reached the block', () => {
    const known: KnownOutput = { block: { height: 1000, hash: 'there' }, reported: 'paid', goneAtHeight: 5 };
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
  ])('with %i confirmations: settled is %s', (deep, isSettled) => {
    const known: KnownOutput = { block: { height: 100, hash: 'there' }, reported: 'paid', goneAtHeight: undefined };
    const tip = { height: 100 + deep - 1, hash: 'h' };
    expect(judgeOutput(known, { tip, hashThere: 'there', required: REQUIRED })).toMatchObject({
      kind: 'paid',
      isSettled,
    });
  });
});

describe('[CRY-2] a payment on a chain with irreversible blocks', () => {
  const known: KnownOutput = { block: { height: 60, hash: 'a' }, reported: 'seen', goneAtHeight: undefined };
  const depths = fc.integer({ min: 1, max: 50 });
  const finals = fc.integer({ min: 0, max: 120 });

  test('is paid exactly where it has its confirmations and the chain calls its block irreversible', () => {
    fc.assert(
      fc.property(depths, finals, (depth, finalHeight) => {
        const tip = { height: 60 + depth - 1, hash: 'tip' };
        const verdict = judgeOutput(known, { tip, hashThere: 'a', required: REQUIRED, finalHeight });
        const isPaid = depth >= REQUIRED && finalHeight >= 60;
        expect(verdict.kind).toBe(isPaid ? 'paid' : 'pending');
        // Nobody sees all confirmations beside a payment that is not credited.
        if (verdict.kind === 'pending') expect(verdict.confirmations).toBeLessThan(REQUIRED);
      }),
    );
  });
});
