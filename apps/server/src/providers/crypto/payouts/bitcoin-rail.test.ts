/** What a payout on Bitcoin looks like to a node. The acceptance tests of Bitcoin payouts use a node that checks signatures. */
import { createServer, type Server } from 'node:http';
import { base64 } from '@scure/base';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { NodeError } from '../chain/chain-source.ts';
import { FakeBitcoin, payToKey } from '../testing/fake-bitcoin.ts';
import { SigningDevice } from '../testing/signing-device.ts';
import { BITCOIN_KEY } from '../testing/test-signer.ts';
import { createBitcoinRail } from './bitcoin-rail.ts';
import type { PayoutRail, PreparedTransaction } from './payout-rail.ts';

const payee = payToKey(new Uint8Array(32).fill(3));
const spent = 'ab'.repeat(32);
/** A whole transaction of somebody else: one input, and one output of a coin. */
const RAW_OTHER = `0200000001${'cd'.repeat(32)}0000000000ffffffff0100e1f50500000000045151515100000000`;
let server: Server;
let url: string;

beforeAll(async () => {
  const transaction = {
    vin: [{ txid: spent, vout: 1 }],
    vout: [{ scriptpubkey: Buffer.from(payee.script).toString('hex'), value: 5000 }],
  };
  server = createServer((request, response) => {
    if (request.url !== '/tx/known') response.writeHead(404).end();
    else response.end(JSON.stringify(transaction));
  });
  url = await openOnLoopback(server);
});
afterAll(() => closeOnLoopback(server));

const draft = { contract: '', address: payee.address, raw: 5000n };
const rail = () =>
  createBitcoinRail(
    { url },
    { wallet: payToKey(BITCOIN_KEY).publicKey, prefix: 'bc', mostFee: 1000n, isForDevice: false },
  );

test('[WD-2] a transaction pays a payout only when it spends one of its coins and pays all of it', async () => {
  const slots = [`${spent}:1`];
  expect(await rail().pays(draft, slots, 'known')).toBe(true);
  expect(await rail().pays(draft, slots, 'unknown')).toBe(false);
  expect(await rail().pays(draft, [`${spent}:0`], 'known')).toBe(false);
  expect(await rail().pays({ ...draft, raw: 5001n }, slots, 'known')).toBe(false);
  const other = payToKey(new Uint8Array(32).fill(4)).address;
  expect(await rail().pays({ ...draft, address: other }, slots, 'known')).toBe(false);
});

test('[WD-2] an address of another chain and an amount that no node passes on are refused', () => {
  expect(rail().objection(draft)).toBeUndefined();
  expect(rail().objection({ ...draft, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' })).toBe('bad-address');
  expect(rail().objection({ ...draft, raw: 545n })).toBe('amount-too-small');
});

describe('[WD-2] a PSBT for a device', () => {
  const device = new SigningDevice();
  const raw = 10_000_000n;
  let node: FakeBitcoin;
  let forDevice: PayoutRail;
  beforeAll(async () => {
    node = new FakeBitcoin();
    const options = { wallet: device.wallet, prefix: 'bc', mostFee: 100_000n, isForDevice: true } as const;
    forDevice = createBitcoinRail({ url: await node.open() }, options);
  });
  beforeEach(() => node.fund(device.address.script, 30_000_000n));
  afterAll(() => node.close());

  const prepared = async (taken: readonly string[] = []): Promise<PreparedTransaction> => {
    const made = await forDevice.prepare({ ...draft, raw }, taken, { coin: 0n, asset: 0n });
    if (made.kind !== 'prepared') throw new Error(`The payout waits: ${made.why}`);
    return made;
  };
  const signedOn = (unsigned: string) => {
    const { signed, shown } = device.sign(base64.decode(unsigned));
    return { verdict: forDevice.verify(unsigned, base64.encode(signed)), shown };
  };

  test('is signed without any other software, shows the payee alone, and so is its replacement', async () => {
    const first = await prepared();
    expect(signedOn(first.unsigned)).toMatchObject({ verdict: { kind: 'good' }, shown: [raw] });
    node.rate = 50;
    const second = await forDevice.replace({ ...draft, raw }, first);
    expect(second?.slots).toEqual(first.slots);
    expect(signedOn(second?.unsigned ?? '')).toMatchObject({ verdict: { kind: 'good' }, shown: [raw] });
    node.rate = 5;
  });

  test('of a node that returns another transaction is not written', async () => {
    node.otherWhole = '00';
    await expect(prepared()).rejects.toThrow(NodeError);
    node.otherWhole = RAW_OTHER;
    await expect(prepared()).rejects.toThrow('did not return the transactions that made the coins');
    node.otherWhole = undefined;
  });

  test('has no earlier transactions when they are too large to give the signed file back', async () => {
    const { slots } = await prepared();
    const [free] = slots;
    node.fund(device.address.script, 900_000_000n, 250_000);
    const made = await forDevice.prepare({ ...draft, raw: 800_000_000n }, [], { coin: 0n, asset: 0n });
    if (made.kind !== 'prepared') throw new Error(`The payout waits: ${made.why}`);
    expect(made.slots).not.toContain(free);
    expect(made.unsigned.length).toBeLessThan(10_000);
    expect(() => signedOn(made.unsigned)).toThrow('without the transaction that made it');
  });
});
