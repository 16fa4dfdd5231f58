import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChainPayoutState, decideChainPayout, mayDecline, wayToPay } from './chain-payout.ts';
import { EXPIRY_MARGIN_MS, isPastExpiry, isWorthSigning, sightExpiring } from './expiring-payout.ts';

const REQUIRED = 3;
const rules = { required: REQUIRED, bumpAfterS: 60, mostVersions: 3 };
const HOUR = 3_600_000;
const transaction = { hash: 'h', expiresAt: HOUR };
const late = HOUR + EXPIRY_MARGIN_MS;

describe('a payout whose transaction expires', () => {
  test('[WD-2] is impossible only when an old irreversible block has passed its expiry', () => {
    expect(isPastExpiry(transaction, { finalTime: HOUR, now: late })).toBe(true);
    expect(isPastExpiry(transaction, { finalTime: HOUR - 1, now: late })).toBe(false);
    // A block that not every machine of the node has, or a node that lies about time.
    expect(isPastExpiry(transaction, { finalTime: HOUR, now: late - 1 })).toBe(false);
    expect(isPastExpiry(transaction, { finalTime: 9 * HOUR, now: late })).toBe(false);
    const sight = (finalTime: number, now: number) => sightExpiring(transaction, { finalTime, now }, REQUIRED);
    expect(sight(HOUR, late)).toEqual({ kind: 'expired' });
    expect(sight(HOUR - 1, late)).toEqual({ kind: 'pending' });
    expect(sight(0, HOUR - 1)).toEqual({ kind: 'missing', spentDepth: 0 });
  });

  test('[WD-2] ends only in a block that the chain cannot take back, however late it is', () => {
    const block = { depth: 9, isFinal: false, hasPaid: true };
    const view = { finalTime: HOUR, now: late, block };
    expect(sightExpiring(transaction, view, REQUIRED)).toMatchObject({ kind: 'mined', depth: REQUIRED - 1 });
    const final = { ...view, block: { ...block, isFinal: true } };
    expect(sightExpiring(transaction, final, REQUIRED)).toMatchObject({ kind: 'mined', depth: 9, hasPaid: true });
  });

  test('[WD-2] returns to the queue when it has expired, and staff may then decline one that the signer refused', () => {
    const facts = { sentForS: 0, versions: 1, isSigning: false };
    for (const state of ['prepared', 'signed', 'broadcast', 'seen'] as const)
      expect(decideChainPayout({ ...facts, state }, { kind: 'expired' }, rules)).toEqual({
        to: 'queued',
        step: 'none',
      });
    for (const state of ['queued', 'refused', 'displaced', 'confirmed', 'failed', 'declined'] as const)
      expect(decideChainPayout({ ...facts, state }, { kind: 'expired' }, rules).to).toBe(state);
    expect(wayToPay('refused', 'expired')).toBe('new-slot');
    expect([mayDecline('refused', 'expired', false), mayDecline('displaced', 'expired', true)]).toEqual([true, false]);
    expect(mayDecline('broadcast', 'expired', true)).toBe(false);
  });

  test('[WD-2] is not replaced before its expiry is proven, however long it waits', () => {
    const facts = { state: 'broadcast', sentForS: 9999, versions: 1, isSigning: false } as const;
    expect(decideChainPayout(facts, { kind: 'pending' }, rules).step).toBe('bump');
    expect(decideChainPayout({ ...facts, mayExpire: true }, { kind: 'pending' }, rules).step).toBe('none');
    const last = { ...facts, mayExpire: true, versions: rules.mostVersions };
    expect(decideChainPayout(last, { kind: 'pending' }, rules).step).toBe('none');
  });

  test('[WD-2] that is in an irreversible block ends without a signature of ours', () => {
    const facts = { state: 'prepared', sentForS: 0, versions: 1, isSigning: true } as const;
    const mined = (depth: number, hasPaid: boolean) => ({ kind: 'mined', hash: 'h', depth, hasPaid }) as const;
    expect(decideChainPayout(facts, mined(REQUIRED, true), rules).to).toBe('confirmed');
    expect(decideChainPayout(facts, mined(REQUIRED, false), rules).to).toBe('failed');
    expect(decideChainPayout(facts, mined(REQUIRED - 1, true), rules)).toEqual({ to: 'prepared', step: 'none' });
    expect(decideChainPayout(facts, { kind: 'missing', spentDepth: 0 }, rules).to).toBe('prepared');
  });

  test('[WD-2] is not signed shortly before its expiry', () => {
    expect([isWorthSigning(null), isWorthSigning(60), isWorthSigning(59), isWorthSigning(-1)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  /**
   * A model of a chain. Anybody who has a signature may have it mined until its expiry. Blocks come late or not at all, and young ones
   * are taken back. The machine that looks a transaction up may be behind by less than the margin.
   */
  test('[WD-2] never two payouts, never a lost one: whatever is lost, late, mined, reorganised or sent by others', () => {
    const event = fc.oneof(
      fc.constantFrom(
        'look',
        'look',
        'sign',
        'sign-and-lose',
        'block',
        'block',
        'reorg',
        'mine-old',
        'lag',
        'until-expiry',
      ),
      fc.record({ waitS: fc.integer({ min: 1, max: 2400 }) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120, size: 'max' }), (events) => {
        const world = new ExpiringWorld();
        for (const one of events) world.happens(one);
        world.settle();
        expect(world.state).toBe('confirmed');
        expect(world.paidReports).toBe(1);
        expect(world.minedPayments).toBe(1);
      }),
      { numRuns: 2000 },
    );
  });
});

interface Block {
  readonly time: number;
  readonly hashes: readonly string[];
}
type WorldEvent = string | { readonly waitS: number };

class ExpiringWorld {
  state: ChainPayoutState = 'queued';
  paidReports = 0;
  now = 0;
  /** How many blocks the chain cannot take back. */
  #final = 0;
  /** The oldest first. */
  blocks: Block[] = [{ time: 0, hashes: [] }];
  /** Every transaction that was ever prepared. Some are signed. */
  readonly known: { readonly hash: string; readonly expiresAt: number; isSigned: boolean; isSent: boolean }[] = [];
  /** So many of the newest blocks the machine does not have that looks transactions up. */
  lag = 0;

  get live() {
    return this.state === 'queued' ? undefined : this.known.at(-1);
  }

  get minedPayments(): number {
    return this.blocks.flatMap(({ hashes }) => hashes).length;
  }

  happens(event: WorldEvent): void {
    if (typeof event !== 'string') this.now += event.waitS * 1000;
    if (event === 'until-expiry') this.now = Math.max(this.now, (this.live?.expiresAt ?? 0) - 6000);
    if (event === 'sign' || event === 'sign-and-lose') this.sign(event === 'sign');
    if (event === 'block') this.mine(({ isSent }) => isSent);
    // Somebody else sends whatever was ever signed.
    if (event === 'mine-old') this.mine(({ isSigned }) => isSigned);
    if (event === 'reorg' && this.blocks.length > this.#final + 1) this.blocks.pop();
    if (event === 'lag') this.lag = this.lag === 0 ? 6 : 0;
    if (event === 'look') this.look();
  }

  sign(isStored: boolean): void {
    const { live } = this;
    if (live === undefined || this.state !== 'prepared') return;
    live.isSigned = true;
    if (isStored) this.state = 'signed';
  }

  mine(isTaken: (one: ExpiringWorld['known'][number]) => boolean): void {
    this.now += 3000;
    const parent = this.blocks.at(-1)?.time ?? 0;
    const isMined = (hash: string): boolean => this.blocks.some(({ hashes }) => hashes.includes(hash));
    const taken = this.known.filter((one) => isTaken(one) && parent < one.expiresAt && !isMined(one.hash));
    this.blocks.push({ time: this.now, hashes: taken.map(({ hash }) => hash) });
    this.#final = Math.max(this.#final, this.blocks.length - REQUIRED + 1);
  }

  look(): void {
    if (this.state === 'confirmed') return;
    const { live } = this;
    if (live === undefined) {
      this.known.push({ hash: `h${this.known.length}`, expiresAt: this.now + HOUR, isSigned: false, isSent: false });
      this.state = 'prepared';
      return;
    }
    const final = this.blocks.slice(0, this.#final);
    const old = final.filter(({ time }) => time <= this.now - EXPIRY_MARGIN_MS);
    // The rule must hold for any irreversible block that is shown.
    const finalTime = (this.lag > 0 ? final : old).at(-1)?.time ?? 0;
    // What the machine shows that is behind: by blocks, and never by more than the margin.
    const shown = this.blocks.filter(
      ({ time }, at) => at < this.blocks.length - this.lag || time <= this.now - EXPIRY_MARGIN_MS,
    );
    const at = shown.findIndex(({ hashes }) => hashes.includes(live.hash));
    const block = at < 0 ? undefined : { depth: this.blocks.length - at, hasPaid: true };
    const isFinal = at >= 0 && at < this.#final;
    const view = { finalTime, now: this.now, block: block && { ...block, isFinal } };
    const facts = { state: this.state, sentForS: 0, versions: 1, isSigning: !live.isSigned };
    const { to, step } = decideChainPayout(facts, sightExpiring(live, view, REQUIRED), rules);
    if (to === 'confirmed') this.paidReports += 1;
    this.state = to;
    if (step !== 'send') return;
    live.isSent = true;
    if (to === 'signed') this.state = 'broadcast';
  }

  /** From now on everything works. */
  settle(): void {
    this.lag = 0;
    for (let turn = 0; turn < 8; turn += 1) {
      for (const event of ['look', 'look', 'sign', 'look', 'block', 'block', 'block', 'look']) this.happens(event);
      if (this.state === 'confirmed') return;
      this.now += HOUR + EXPIRY_MARGIN_MS;
    }
  }
}
