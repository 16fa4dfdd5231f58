/** What a payout on Bitcoin looks like to a node. The acceptance tests of Bitcoin payouts use a node that checks signatures. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { payToKey } from '../testing/fake-bitcoin.ts';
import { BITCOIN_KEY } from '../testing/test-signer.ts';
import { createBitcoinRail } from './bitcoin-rail.ts';

const payee = payToKey(new Uint8Array(32).fill(3));
const spent = 'ab'.repeat(32);
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
  createBitcoinRail({ url }, { publicKey: payToKey(BITCOIN_KEY).publicKey, prefix: 'bc', mostFee: 1000n });

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
