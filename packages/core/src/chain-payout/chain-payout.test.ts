import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CHAIN_PAYOUT_MOVES,
  type ChainPayoutState,
  decideChainPayout,
  mayDecline,
  type Sighting,
  wayToPay,
} from './chain-payout.ts';
import { type HotWalletLimits, waitOf } from './hot-wallet-limits.ts';
import { raisedFee } from './raised-fee.ts';
import { type CoinRules, changeOf, selectCoins } from './select-coins.ts';

const rules = { required: 3, bumpAfterS: 60, mostVersions: 3 };
const waiting = { state: 'broadcast', sentForS: 0, versions: 1, isSigning: false } as const;
const states = Object.keys(CHAIN_PAYOUT_MOVES) as ChainPayoutState[];

describe('a payout on a chain', () => {
  test('[WD-2] is paid only at the needed depth, and not when the chain refused it', () => {
    const mined = (depth: number, hasPaid = true): Sighting => ({ kind: 'mined', hash: 'h', depth, hasPaid });
    expect(decideChainPayout(waiting, mined(2), rules).to).toBe('seen');
    expect(decideChainPayout({ ...waiting, state: 'seen' }, mined(3), rules).to).toBe('confirmed');
    expect(decideChainPayout({ ...waiting, state: 'signed' }, mined(3, false), rules).to).toBe('failed');
  });

  test('[WD-2] is sent again when no node has it, and gets a higher fee when it stays in no block', () => {
    expect(decideChainPayout(waiting, { kind: 'missing', spentDepth: 0 }, rules)).toEqual({
      to: 'broadcast',
      step: 'send',
    });
    const late = { ...waiting, sentForS: 60 };
    expect(decideChainPayout(late, { kind: 'pending' }, rules).step).toBe('bump');
    expect(decideChainPayout({ ...late, isSigning: true }, { kind: 'pending' }, rules).step).toBe('none');
    expect(decideChainPayout({ ...late, versions: 3 }, { kind: 'pending' }, rules).step).toBe('stuck');
  });

  test('[WD-2] whose time is over gets a transaction with more time for the same slot, while that slot is free', () => {
    const expired = { ...waiting, isOutOfTime: true };
    const free: Sighting = { kind: 'missing', spentDepth: 0 };
    expect(decideChainPayout(expired, free, rules)).toEqual({ to: 'broadcast', step: 'bump' });
    expect(decideChainPayout({ ...expired, isSigning: true }, free, rules).step).toBe('none');
    expect(decideChainPayout({ ...expired, versions: 3 }, free, rules).step).toBe('stuck');
    expect(decideChainPayout(expired, { kind: 'missing', spentDepth: 1 }, rules).step).toBe('none');
    expect(decideChainPayout(expired, { kind: 'mined', hash: 'h', depth: 3, hasPaid: true }, rules).to).toBe(
      'confirmed',
    );
  });

  test('[WD-2] whose slot another transaction spent waits for staff, and only when that one is deep', () => {
    expect(decideChainPayout(waiting, { kind: 'missing', spentDepth: 2 }, rules)).toEqual({
      to: 'broadcast',
      step: 'none',
    });
    expect(decideChainPayout(waiting, { kind: 'missing', spentDepth: 3 }, rules).to).toBe('displaced');
  });

  test('[WD-2] gets a second slot only when a known payout of ours spent the first', () => {
    for (const state of states.filter((one) => one !== 'refused'))
      for (const fate of ['free', 'reserved', 'spent-by-payout', 'spent-by-stranger'] as const)
        expect(wayToPay(state, fate)).toBeUndefined();
    expect(wayToPay('refused', 'free')).toBe('same-slot');
    expect(wayToPay('refused', 'spent-by-payout')).toBe('new-slot');
    expect(wayToPay('refused', 'reserved')).toBeUndefined();
    expect(wayToPay('refused', 'spent-by-stranger')).toBeUndefined();
  });

  test('[WD-2] returns the amount only when none of its transactions can be mined any more', () => {
    expect(mayDecline('queued', 'free', false)).toBe(true);
    for (const state of states.filter((one) => one !== 'queued')) {
      for (const fate of ['free', 'reserved'] as const) expect(mayDecline(state, fate, true)).toBe(false);
      const isChecked = state === 'refused' || state === 'displaced';
      expect(mayDecline(state, 'spent-by-payout', false)).toBe(isChecked);
      expect(mayDecline(state, 'spent-by-stranger', true)).toBe(isChecked);
      expect(mayDecline(state, 'spent-by-stranger', false)).toBe(false);
    }
  });

  const sighting: fc.Arbitrary<Sighting> = fc.oneof(
    fc.record({
      kind: fc.constant('mined' as const),
      hash: fc.constant('h'),
      depth: fc.integer({ min: 1, max: 6 }),
      hasPaid: fc.boolean(),
    }),
    fc.constant({ kind: 'pending' as const }),
    fc.record({ kind: fc.constant('missing' as const), spentDepth: fc.integer({ min: 0, max: 6 }) }),
  );

  test('[WD-2] makes only moves of the table, and never leaves an end', () => {
    fc.assert(
      fc.property(fc.constantFrom(...states), sighting, fc.nat(200), fc.nat(5), fc.boolean(), (...drawn) => {
        const [state, seen, sentForS, versions, isSigning] = drawn;
        const { to } = decideChainPayout({ state, sentForS, versions, isSigning }, seen, rules);
        expect(to === state || CHAIN_PAYOUT_MOVES[state].includes(to)).toBe(true);
      }),
    );
  });

  /**
   * A chain with one slot. Any transaction that was signed for the slot may be mined at any time, also by somebody who has a copy. A
   * reorganisation is less deep than `required`.
   */
  test('[WD-2] never two payouts, never a lost one: whatever is lost, mined, reorganised or sent again', () => {
    const event = fc.constantFrom(
      'look',
      'look',
      'sign',
      'lose-pool',
      'mine-first',
      'mine-last',
      'block',
      'reorg',
      'die',
      'expire',
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const world = new World();
        for (const one of [...events, 'sign', 'look', 'sign', 'look', 'mine-last', 'block', 'block', 'block', 'look'])
          world.happens(one);
        expect(world.paidReports).toBe(1);
        expect(world.state).toBe('confirmed');
        expect(world.minedVersions.size).toBe(1);
      }),
    );
  });
});

class World {
  state: ChainPayoutState = 'prepared';
  paidReports = 0;
  signed: number[] = [];
  isSigning = true;
  pool = new Set<number>();
  mined: { readonly version: number; at: number } | undefined;
  height = 10;
  sentForS = 0;
  /** So many of the first versions can be mined no more. */
  expired = 0;
  /** The versions that are in the chain at the end of the story. */
  get minedVersions(): ReadonlySet<number> {
    return new Set(this.mined === undefined ? [] : [this.mined.version]);
  }

  happens(event: string): void {
    this.sentForS += 20;
    if (event === 'sign' && this.isSigning) {
      this.signed.push(this.signed.length);
      this.isSigning = false;
      if (this.state === 'prepared') this.state = 'signed';
    }
    if (event === 'lose-pool') this.pool.clear();
    if (event.startsWith('mine') && this.mined === undefined) {
      const valid = this.signed.slice(this.expired);
      const version = event === 'mine-first' ? valid[0] : valid.at(-1);
      if (version !== undefined) this.mined = { version, at: ++this.height };
    }
    // The last version that is allowed has all the time that it needs.
    if (event === 'expire' && this.signed.length + Number(this.isSigning) < rules.mostVersions) this.expire();
    if (event === 'block') this.height += 1;
    if (event === 'reorg' && this.mined !== undefined && this.depth < rules.required) this.mined = undefined;
    if (event === 'look') this.look();
  }

  expire(): void {
    this.expired = this.signed.length;
    this.pool.clear();
  }

  get depth(): number {
    return this.mined === undefined ? 0 : this.height - this.mined.at + 1;
  }

  look(): void {
    const facts = {
      state: this.state,
      sentForS: this.sentForS,
      versions: this.signed.length + Number(this.isSigning),
      isSigning: this.isSigning,
      isOutOfTime: this.signed.length > 0 && this.expired === this.signed.length,
    };
    const before = this.state;
    const { to, step } = decideChainPayout(facts, this.sight(), rules);
    this.state = to;
    if (to === 'confirmed' && before !== 'confirmed') this.paidReports += 1;
    if (step === 'send') {
      for (const version of this.signed.slice(this.expired).slice(-1)) this.pool.add(version);
      if (this.state === 'signed') this.state = 'broadcast';
    }
    if (step === 'bump') this.isSigning = true;
  }

  sight(): Sighting {
    if (this.mined !== undefined) return { kind: 'mined', hash: 'h', depth: this.depth, hasPaid: true };
    return this.pool.size > 0 ? { kind: 'pending' } : { kind: 'missing', spentDepth: 0 };
  }
}

test('[WD-2] a limit of an hour or a day holds a payout', () => {
  const limits: HotWalletLimits = { hour: 100n, day: 300n };
  expect(waitOf(100n, { hour: 0n, day: 200n }, limits)).toBeUndefined();
  expect(waitOf(1n, { hour: 100n, day: 100n }, limits)).toBe('hour-limit');
  expect(waitOf(1n, { hour: 0n, day: 300n }, limits)).toBe('day-limit');
  expect(waitOf(10n ** 30n, { hour: 0n, day: 0n }, {})).toBeUndefined();
});

test('[WD-2] a replacement pays at least an eighth more, and never more than the bound', () => {
  expect(raisedFee(100n, 0n, 1000n)).toBe(113n);
  expect(raisedFee(100n, 500n, 1000n)).toBe(500n);
  expect(raisedFee(100n, 5000n, 1000n)).toBe(1000n);
  expect(raisedFee(100n, 5000n, 112n)).toBeUndefined();
  expect(raisedFee(1n, 0n, 9n)).toBe(2n);
});

describe('the coins of a Bitcoin payout', () => {
  const coinRules: CoinRules = {
    feeRate: 5n,
    baseBytes: 42,
    inputBytes: 68,
    changeBytes: 31,
    dust: 294n,
    mostInputs: 20,
  };
  const coin = fc.record({
    txid: fc.stringMatching(/^[0-9a-f]{8}$/),
    vout: fc.nat(9),
    value: fc.bigInt(1n, 1_000_000n),
  });

  test('[WD-2] inputs are amount, change and fee, and no output is dust', () => {
    fc.assert(
      fc.property(fc.array(coin, { maxLength: 40 }), fc.bigInt(1n, 2_000_000n), (coins, amount) => {
        const found = selectCoins(coins, amount, coinRules);
        if (found === undefined) return;
        const total = found.coins.reduce((sum, { value }) => sum + value, 0n);
        expect(total).toBe(amount + found.change + found.fee);
        expect(found.coins.length).toBeLessThanOrEqual(20);
        expect(found.change === 0n || found.change >= coinRules.dust).toBe(true);
        // No fee larger than the asked rate and a change that nobody can spend.
        const bare = BigInt(42 + 68 * found.coins.length) * 5n;
        expect(found.fee - bare).toBeLessThan(31n * 5n + coinRules.dust);
      }),
    );
  });

  test('[WD-2] one large coin rather than many small ones, and nothing when they do not cover it', () => {
    const coins = [1000n, 90_000n, 2000n].map((value, vout) => ({ txid: 'aa', vout, value }));
    expect(selectCoins(coins, 50_000n, coinRules)?.coins).toEqual([{ txid: 'aa', vout: 1, value: 90_000n }]);
    expect(selectCoins(coins, 93_000n, coinRules)).toBeUndefined();
    expect(changeOf(coins.slice(0, 1), 400n, coinRules)).toEqual({ fee: 600n, change: 0n });
  });
});
