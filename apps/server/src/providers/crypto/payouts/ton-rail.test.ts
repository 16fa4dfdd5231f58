/** What a payout on TON looks like. The acceptance tests of TON payouts use a chain that checks orders as the wallet contract does. */
import { systemClock } from '@opencashier/core/time/clock';
import { Address, beginCell, Cell, loadMessage } from '@ton/core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FakeTon } from '../testing/fake-ton.ts';
import { signTon, TestSigner } from '../testing/test-signer.ts';
import { isSignedBy, openTonContract, splitSigned, unsignedBody } from './ton-contract.ts';
import { payeeText, readPayee } from './ton-payee.ts';
import { paymentMessage } from './ton-payment.ts';
import { createTonRail } from './ton-rail.ts';

const HALF = 500_000_000n;
const payee = new Address(0, Buffer.alloc(32, 0x11)).toString({ bounceable: false });
const contract = openTonContract(TestSigner.tonWallet);
const wallet = contract.address.toString({ bounceable: false });
const draft = { contract: '', address: payeeText(payee, 'memo 42'), raw: HALF };
const node = new FakeTon();
let url: string;

beforeAll(async () => {
  url = await node.open();
  node.ledger.fund(wallet, 10n * HALF);
});
afterAll(() => node.close());

const rail = () =>
  createTonRail(
    { url },
    { publicKey: TestSigner.tonWallet, mostFee: 200_000_000n, hasTokens: true, clock: systemClock },
  );

const bodyOf = (seqno: number, address = draft.address): Cell => {
  const read = readPayee(address);
  if (typeof read === 'string') throw new RangeError(read);
  const payment = { wallet: contract.address, payee: read, raw: HALF, queryId: BigInt(seqno) };
  return unsignedBody(seqno, 4_000_000_000, paymentMessage(payment, true));
};
const written = (cell: Cell): string => cell.toBoc().toString('base64');

test('[WD-2] an order has the bytes that wallet libraries make of the same payment', () => {
  // By WalletContractV4 of @ton/ton 16.3: the key 09…09, seqno 7, 0.5 TON with the comment "memo 42", valid until 1800086400.
  const known = openTonContract('fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618');
  const { signature, body } = splitSigned(
    Cell.fromBase64(
      'te6cckEBAgEAkgABnNhgNM1LciSUqKMnOjAr5JfhSftEcWqoplRrediY6ADzaqnKTtFujv0GrCCd3YL5va+xj4LuVKlbPyCEmyXGFQkpqaMXa0sjgAAAAAcAAwEAfkIACIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIig7msoAAAAAAAAAAAAAAAAAAAAAAAAbWVtbyA0MqDExPw=',
    ),
  );
  const read = readPayee(draft.address);
  if (typeof read === 'string') throw new RangeError(read);
  const payment = { wallet: known.address, payee: read, raw: HALF, queryId: 7n };
  const ours = unsignedBody(7, 1_800_086_400, paymentMessage(payment, false));
  expect(ours.equals(body)).toBe(true);
  expect(isSignedBy(known, ours, signature)).toBe(true);
});

test('[WD-2] the wallet is the address of the published contract v4R2', () => {
  expect(contract.init.code?.hash().toString('hex')).toBe(
    'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
  );
});

test('[WD-2] a signature counts alone or in the signed body, and only for the order that was asked for', () => {
  const unsigned = written(bodyOf(3));
  const signed = signTon(unsigned, 'well');
  const { signature } = splitSigned(Cell.fromBase64(signed));
  const whole = rail().verify(unsigned, signed);
  expect(whole).toMatchObject({ kind: 'good' });
  expect(rail().verify(unsigned, Buffer.from(signature).toString('base64'))).toEqual(whole);
  expect(rail().verify(unsigned, signTon(written(bodyOf(4)), 'well'))).toEqual({ kind: 'bad', why: 'slot' });
  expect(rail().verify(unsigned, signTon(unsigned, 'other-key'))).toEqual({ kind: 'bad', why: 'sender' });
  const more = beginCell().storeBuffer(Buffer.from(signature)).storeSlice(bodyOf(3).beginParse());
  expect(rail().verify(unsigned, written(more.storeUint(1, 8).storeRef(Cell.EMPTY).endCell()))).toMatchObject({
    kind: 'bad',
  });
  for (const answer of ['', 'nonsense', written(Cell.EMPTY)])
    expect(rail().verify(unsigned, answer)).toEqual({ kind: 'bad', why: 'unreadable' });
});

test('[WD-2] what is sent is our own order, and only the first one brings the contract', () => {
  for (const seqno of [0, 1]) {
    const unsigned = written(bodyOf(seqno));
    const verdict = rail().verify(unsigned, signTon(unsigned, 'well'));
    if (verdict.kind !== 'good') throw new Error(verdict.why);
    const { init, body } = loadMessage(Cell.fromBase64(verdict.signed).beginParse());
    expect(Boolean(init)).toBe(seqno === 0);
    expect(written(splitSigned(body).body)).toBe(unsigned);
  }
});

test('[WD-2] a raw address, one of the test network, a mistyped one and an endless memo are refused', () => {
  const { objection } = rail();
  const account = Address.parse(payee);
  expect(objection(draft)).toBeUndefined();
  expect(objection({ ...draft, address: account.toString({ urlSafe: false }).replaceAll('/', '_') })).toBeUndefined();
  for (const address of [account.toRawString(), account.toString({ testOnly: true }), `${payee.slice(0, -1)}!`, ''])
    expect(objection({ ...draft, address }), address).toBe('bad-address');
  expect(objection({ ...draft, address: payeeText(payee, 'x'.repeat(481)) })).toBe('bad-memo');
});

test('[WD-2] an address in its other spelling is not taken for a memo', () => {
  const account = new Address(0, Buffer.alloc(32, 0xff));
  const spelling = account.toString({ urlSafe: false, bounceable: true });
  expect(spelling).toContain('/');
  expect(readPayee(payeeText(spelling, 'a/b'))).toMatchObject({ memo: 'a/b', isBounceable: true });
});

test('[WD-2] an order pays a payout only with its seqno, its amount, its recipient and its memo', async () => {
  const signed = rail().verify(written(bodyOf(0)), signTon(written(bodyOf(0)), 'well'));
  if (signed.kind !== 'good') throw new Error(signed.why);
  const { pays, send, look } = rail();
  await send(signed.signed);
  expect(node.ledger.waiting).toBe(1);
  node.ledger.mine(4);
  expect(await pays(draft, ['0'], signed.hash)).toBe(true);
  const [own] = node.ledger.transactions;
  expect(await pays(draft, ['0'], own?.hash ?? '')).toBe(true);
  expect(await pays(draft, ['0'], 'ab'.repeat(32))).toBe(false);
  expect(await pays(draft, ['1'], signed.hash)).toBe(false);
  expect(await pays({ ...draft, raw: HALF + 1n }, ['0'], signed.hash)).toBe(false);
  expect(await pays({ ...draft, address: payeeText(payee, 'memo 43') }, ['0'], signed.hash)).toBe(false);
  expect((await look(draft, ['0'], [{ unsigned: '', hash: own?.hash ?? '' }], 3)).sighting).toMatchObject({
    kind: 'mined',
    hasPaid: true,
  });
});

test('[WD-2] an order before its turn is not sent, and its payout waits', async () => {
  const unsigned = written(bodyOf(5));
  const verdict = rail().verify(unsigned, signTon(unsigned, 'well'));
  if (verdict.kind !== 'good') throw new Error(verdict.why);
  await rail().send(verdict.signed);
  expect(node.ledger.waiting).toBe(0);
  expect((await rail().look(draft, ['5'], [{ unsigned, hash: verdict.hash }], 3)).sighting).toEqual({
    kind: 'missing',
    spentDepth: 0,
  });
});

test('[WD-2] a failed order spent its seqno only when the contract failed after it had counted', async () => {
  const spentBy = async (description: object) => {
    node.tells = (one) =>
      one.in_msg.source === null ? { ...one, description: { ...one.description, aborted: true, ...description } } : one;
    const { sighting } = await rail()
      .look(draft, ['0'], [], 3)
      .finally(() => {
        node.tells = (one) => one;
      });
    return sighting;
  };
  // The messages could not be sent: the chain takes the whole order back with its seqno, and anybody may send it again.
  node.seqnoOff = -1;
  expect(await spentBy({ compute_ph: { success: true } })).toEqual({ kind: 'missing', spentDepth: 0 });
  node.seqnoOff = 0;
  // The account has counted another order, which the index does not show.
  await expect(spentBy({ compute_ph: { success: true } })).rejects.toThrow('lacks a transaction');
  expect(await spentBy({ compute_ph: { success: false } })).toMatchObject({ kind: 'missing', spentDepth: 4 });
});

test('[WD-2] an order about plugins spends its seqno, and pays nobody', async () => {
  const body = beginCell()
    .storeBuffer(Buffer.alloc(64))
    .storeUint(698_983_191, 32)
    .storeUint(4_000_000_000, 32)
    .storeUint(0, 32)
    .storeUint(2, 8)
    .endCell();
  node.tells = (one) =>
    one.in_msg.source === null ? { ...one, in_msg: { ...one.in_msg, message_content: { body: written(body) } } } : one;
  const { sighting } = await rail().look(draft, ['0'], [], 3);
  node.tells = (one) => one;
  expect(sighting).toMatchObject({ kind: 'missing', spentDepth: 4 });
});

describe('what the network kept', () => {
  const master = `0:${'cc'.repeat(32)}`;
  const tokens = { contract: master, address: payee, raw: 10n };
  /** What forwarding costs, which the chain in memory only claims. */
  const FORWARD = 266_669n;

  /** Pays, and lets the chain go on until the end. @returns what the rail shows then */
  async function paid(one: typeof tokens, meanwhile: () => unknown = () => undefined) {
    const { prepare, verify, send, look } = rail();
    const prepared = await prepare(one, [], { coin: 0n, asset: 0n });
    if (prepared.kind !== 'prepared') throw new Error(prepared.why);
    const { unsigned, slots } = prepared;
    const verdict = verify(unsigned, signTon(unsigned, 'well'));
    if (verdict.kind !== 'good') throw new Error(verdict.why);
    await send(verdict.signed);
    meanwhile();
    node.ledger.mine(6);
    return () => look(one, slots, [{ unsigned, hash: verdict.hash }], 2);
  }

  test('[WD-2] contracts that return more coins than a transfer took along cost nothing', async () => {
    node.ledger.giveJettons(wallet, master, 1000n);
    const seen = await paid(tokens);
    expect((await seen()).fee).toBeGreaterThan(0n);
    const own = contract.address.toRawString().toUpperCase();
    node.tells = (one) => ({
      ...one,
      out_msgs: one.out_msgs.map((out) => (out.destination === own ? { ...out, value: '900000000' } : out)),
    });
    const { sighting, fee } = await seen();
    node.tells = (one) => one;
    expect([sighting, fee]).toEqual([expect.objectContaining({ kind: 'mined', hasPaid: true }), 0n]);
  });

  test('[WD-2] a payment that a contract returns costs what did not come back', async () => {
    const refusing = new Address(0, Buffer.alloc(32, 0x22)).toString({ bounceable: true });
    node.ledger.putRefusing(refusing);
    const before = node.ledger.account(wallet).balance;
    const { sighting, fee = 0n } = await (await paid({ contract: '', address: refusing, raw: HALF }))();
    expect(sighting).toMatchObject({ kind: 'mined', hasPaid: false });
    expect(fee - FORWARD).toBe(before - node.ledger.account(wallet).balance);
  });

  test('[WD-2] a transfer of tokens that have left meanwhile costs what did not come back', async () => {
    const before = node.ledger.account(wallet).balance;
    const { raw = 0n } = node.ledger.jettonsOf(wallet, master) ?? {};
    const seen = await paid(tokens, () => node.ledger.giveJettons(wallet, master, -raw));
    const { sighting, fee = 0n } = await seen();
    expect(sighting).toMatchObject({ kind: 'mined', hasPaid: false });
    expect(fee - FORWARD).toBe(before - node.ledger.account(wallet).balance);
  });

  test('[WD-2] a payment that the wallet skipped costs its order alone', async () => {
    const { balance } = node.ledger.account(wallet);
    const seen = await paid({ contract: '', address: payee, raw: HALF }, () =>
      node.ledger.fund(wallet, HALF / 2n - balance),
    );
    const { sighting, fee } = await seen();
    expect(sighting).toMatchObject({ kind: 'mined', hasPaid: false });
    expect(fee).toBe(HALF / 2n - node.ledger.account(wallet).balance);
  });
});

describe('strangers send the wallet next to nothing, again and again', () => {
  const orderHash = (): string => {
    const signed = rail().verify(written(bodyOf(0)), signTon(written(bodyOf(0)), 'well'));
    if (signed.kind !== 'good') throw new Error(signed.why);
    return signed.hash;
  };
  const lists = async (work: Promise<unknown>): Promise<number> => {
    node.pages = 0;
    await work;
    return node.pages;
  };

  beforeAll(() => node.ledger.flood(wallet, 3000));
  afterEach(() => {
    node.tells = (one) => one;
  });

  test('[WD-2] a payout is found by its hash, and no list of transactions is read', async () => {
    const { look, pays } = rail();
    const found = look(draft, ['0'], [{ unsigned: '', hash: orderHash() }], 3);
    expect(await lists(found)).toBe(0);
    expect((await found).sighting).toMatchObject({ kind: 'mined', hasPaid: true });
    expect(await pays(draft, ['0'], orderHash())).toBe(true);
    const [own] = node.ledger.transactions;
    expect(await pays(draft, ['0'], own?.hash ?? '')).toBe(true);
    // One that staff mistyped is no reason to read all transactions either.
    const unknown = pays(draft, ['0'], 'ab'.repeat(32));
    expect([await lists(unknown), await unknown]).toEqual([0, false]);
  });

  test('[WD-2] of a payout that was signed again either order is found', async () => {
    const hashes = ['cd'.repeat(32), orderHash()];
    const found = rail().look(
      draft,
      ['0'],
      hashes.map((hash) => ({ unsigned: '', hash })),
      3,
    );
    expect([await lists(found), (await found).sighting]).toEqual([0, expect.objectContaining({ kind: 'mined' })]);
  });

  test('[WD-2] a free seqno needs no list of transactions', async () => {
    const { seqno } = node.ledger.account(wallet);
    const free = rail().look(draft, [String(seqno)], [{ unsigned: '', hash: orderHash() }], 3);
    expect([await lists(free), (await free).sighting]).toEqual([0, { kind: 'missing', spentDepth: 0 }]);
  });

  test('[WD-2] looks for an unknown order are bounded and go on, whatever arrives meanwhile', async () => {
    const { look } = rail();
    for (let looks = 0; looks < 3; looks += 1) {
      expect(await lists(expect(look(draft, ['0'], [], 3)).rejects.toThrow('next look goes on'))).toBe(10);
      node.ledger.flood(wallet, 1000);
    }
    const found = look(draft, ['0'], [], 3);
    expect(await lists(found)).toBe(1);
    expect((await found).sighting).toMatchObject({ kind: 'missing', spentDepth: expect.any(Number) });
    // The order stays known.
    const again = look(draft, ['0'], [], 3);
    expect([await lists(again), await again]).toEqual([1, await found]);
  });

  test('[WD-2] an order that the index lacks is an error and no free seqno, and it is found when it is there', async () => {
    const [own] = node.ledger.transactions;
    const { look } = rail();
    const all = Math.floor(node.ledger.transactions.length / 1000);
    node.tells = (one) => (one.hash === own?.hash ? undefined : one);
    for (let looks = 0; looks < all; looks += 1)
      await expect(look(draft, ['0'], [], 3)).rejects.toThrow('next look goes on');
    await expect(look(draft, ['0'], [], 3)).rejects.toThrow('lacks a transaction');
    node.tells = (one) => one;
    for (let looks = 0; looks < all; looks += 1)
      await expect(look(draft, ['0'], [], 3)).rejects.toThrow('next look goes on');
    expect((await look(draft, ['0'], [], 3)).sighting).toMatchObject({
      kind: 'missing',
      spentDepth: expect.any(Number),
    });
  });

  test('[WD-2] an index without normalized hashes shows the payout all the same', async () => {
    node.knowsNormalizedHashes = false;
    const { look } = rail();
    const sought = [{ unsigned: '', hash: orderHash() }];
    let seen = await look(draft, ['0'], sought, 3).catch(() => undefined);
    for (let looks = 1; looks < 10 && seen === undefined; looks += 1)
      seen = await look(draft, ['0'], sought, 3).catch(() => undefined);
    node.knowsNormalizedHashes = true;
    expect(seen?.sighting).toMatchObject({ kind: 'mined', hasPaid: true });
  });
});
