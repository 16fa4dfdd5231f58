/** What a payout on TRON looks like to a node and to a signer. The acceptance tests of TRON's payouts use whole rounds. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tronAddress } from '../chain/receiving-address.ts';
import { FakeTron, FakeTronNode, TRON_GENESIS } from '../testing/fake-tron-node.ts';
import { signedTron } from '../testing/sign-tron.ts';
import { TestSigner, TRON_KEY } from '../testing/test-signer.ts';
import { expiryOf, transactionId } from '../tron/tron-transaction.ts';
import type { PayoutDraft, PayoutRail, PreparedTransaction } from './payout-rail.ts';
import { createTronRail } from './tron-rail.ts';

const REQUIRED = 3;
const VALID_FOR_S = 3600;
const contract = tronAddress('a614f803b6fd780986a42c78ec9c7f77e6ded13c');
const address = tronAddress('22'.repeat(20));
const none = { coin: 0n, asset: 0n };
const coins: PayoutDraft = { contract: '', address, raw: 5000n };
const tokens: PayoutDraft = { ...coins, contract };

let chain: FakeTron;
let node: FakeTronNode;
let url: string;
let rail: PayoutRail;

beforeAll(async () => {
  chain = new FakeTron();
  node = new FakeTronNode(chain);
  url = await node.open();
});
afterAll(() => node.close());
beforeEach(() => {
  node.mood = {};
  chain.fund(TestSigner.tronWallet, 10n ** 9n);
  chain.fund(TestSigner.tronWallet, 10n ** 9n, contract);
  chain.mine(5);
  const clock = { ...systemClock, now: () => chain.now() };
  const wallet = TestSigner.tronWallet;
  rail = createTronRail(
    { url },
    { wallet, mostFee: 30_000_000n, validForS: VALID_FOR_S, genesis: TRON_GENESIS, clock },
  );
});

async function prepared(draft: PayoutDraft, taken: readonly string[] = []): Promise<PreparedTransaction> {
  const found = await rail.prepare(draft, taken, none);
  if (found.kind !== 'prepared') throw new Error(`It waits: ${found.why}`);
  return found;
}

const look = async (draft: PayoutDraft, { unsigned }: Pick<PreparedTransaction, 'unsigned'>) =>
  (await rail.look(draft, [], [{ unsigned, hash: null }], REQUIRED)).sighting;

describe('a payout on TRON', () => {
  test('[WD-2] names an irreversible block, ends in time, and its slot is its own name', async () => {
    const { unsigned, slots, expiresAt, mostFee } = await prepared(coins);
    expect(slots).toEqual([transactionId(unsigned)]);
    expect(expiresAt).toBe(expiryOf(unsigned));
    expect(expiresAt).toBe((chain.blockAt(chain.height)?.time ?? 0) + VALID_FOR_S * 1000);
    const final = chain.blockAt(chain.finalHeight)?.hash ?? '';
    expect(unsigned).toContain(final.slice(16, 32));
    expect(mostFee).toBeGreaterThan(1_100_000n);
    // The same payment again is the same transaction, unless another payout has it.
    expect((await prepared(coins)).unsigned).toBe(unsigned);
    expect((await prepared(coins, slots)).unsigned).not.toBe(unsigned);
  });

  test('[WD-2] takes only the signature from an answer, for exactly its own bytes and by its own key', async () => {
    for (const draft of [coins, tokens]) {
      const { unsigned } = await prepared(draft);
      const verdict = (change: 'recipient' | 'amount' | 'fee' | 'slot' | undefined, by = TRON_KEY) =>
        rail.verify(unsigned, signedTron(unsigned, { key: by, change }));
      expect(verdict(undefined)).toMatchObject({ kind: 'good', hash: transactionId(unsigned) });
      for (const change of ['recipient', 'amount', 'fee', 'slot'] as const)
        expect(verdict(change)).toEqual({ kind: 'bad', why: change });
      expect(verdict(undefined, new Uint8Array(32).fill(3))).toEqual({ kind: 'bad', why: 'sender' });
      const garbage = { kind: 'bad', why: 'unreadable' };
      expect([rail.verify(unsigned, '<html>'), rail.verify(unsigned, unsigned)]).toEqual([garbage, garbage]);
    }
  });

  test('[WD-2] is refused for an address with a wrong letter, of another chain, and for the wallet itself', () => {
    expect(rail.objection(coins)).toBeUndefined();
    const wrong = address.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const one of [wrong, '0xdAC17F958D2ee523a2206206994597C13D831ec7', TestSigner.tronWallet])
      expect(rail.objection({ ...coins, address: one })).toBe('bad-address');
  });

  test('[WD-2] a send is done when the node takes it, or had it already. Everything else leaves it open', async () => {
    const { unsigned } = await prepared(coins);
    const signed = signedByWallet(unsigned);
    await rail.send(signed);
    await rail.send(signed);
    await expect(rail.send(signed.replace(/.{8}$/, '00000000'))).rejects.toThrow('SIGERROR');
    node.mood = { losesAnswers: true };
    await expect(rail.send(signed)).rejects.toThrow('did not answer');
    expect(chain.waiting.filter(({ id }) => id === transactionId(unsigned))).toHaveLength(1);
  });

  test('[WD-2] ends only in a block that the chain cannot take back', async () => {
    const one = await prepared(tokens);
    expect(await look(tokens, one)).toEqual({ kind: 'missing', spentDepth: 0 });
    await rail.send(signedByWallet(one.unsigned));
    chain.mine(3);
    expect(await look(tokens, one)).toMatchObject({ kind: 'mined', depth: REQUIRED - 1, hasPaid: true });
    chain.mine();
    expect(await look(tokens, one)).toMatchObject({ kind: 'mined', depth: 4, hasPaid: true });
    node.mood = { lies: true };
    expect(await look(tokens, one)).toMatchObject({ kind: 'mined', hasPaid: false });
  });

  test('[WD-2] has expired only when an old irreversible block says so', async () => {
    const one = await prepared(coins);
    chain.pass(VALID_FOR_S);
    chain.mine(4);
    expect(await look(coins, one)).toEqual({ kind: 'pending' });
    chain.mine(36);
    expect(await look(coins, one)).toEqual({ kind: 'pending' });
    chain.mine(10);
    expect(await look(coins, one)).toEqual({ kind: 'expired' });
    node.mood = { hasErrors: true };
    await expect(look(coins, one)).rejects.toThrow('unexpected response');
    node.mood = { isForeign: true };
    const stranger = createTronRail(
      { url },
      { wallet: TestSigner.tronWallet, mostFee: 1n, validForS: 300, genesis: TRON_GENESIS, clock: systemClock },
    );
    await expect(stranger.look(coins, [], [{ ...one, hash: null }], REQUIRED)).rejects.toThrow('another network');
  });

  test('[WD-2] has not expired for a node that keeps no results of any transaction', async () => {
    const one = await prepared(coins);
    chain.pass(VALID_FOR_S);
    chain.mine();
    const other = await prepared(coins);
    await rail.send(signedByWallet(other.unsigned));
    // The other transaction is in the block that proves the expiry.
    chain.mine(44);
    node.mood = { hidesPayments: true };
    await expect(look(coins, one)).rejects.toThrow('does not keep the results');
    node.mood = { hasEmptyBlocks: true };
    await expect(look(coins, one)).rejects.toThrow('is empty');
    node.mood = {};
    expect(await look(coins, one)).toEqual({ kind: 'expired' });
  });

  test('[WD-2] coins are not sent to a contract, which the chain would refuse', async () => {
    chain.contracts.add(address);
    await expect(rail.prepare(coins, [], none)).rejects.toThrow('is a contract');
    chain.contracts.delete(address);
  });
});

/** What the wallet's own signer returns. */
function signedByWallet(unsigned: string): string {
  return signedTron(unsigned, { key: TRON_KEY, change: undefined });
}
