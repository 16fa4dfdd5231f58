/** What a payout on an EVM chain looks like to a node. The acceptance tests of coin payouts use a real chain. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { createEvmRail } from './evm-rail.ts';

const wallet = `0x${'aa'.repeat(20)}`;
const payee = `0x${'bb'.repeat(20)}`;
const contract = `0x${'cc'.repeat(20)}`;
const topic = (hex: string): string => `0x${hex.slice(2).padStart(64, '0')}`;
const REQUIRED = 3;
/** The height of the newest block that the chain cannot take back. */
let final = 0;
let paid = 0n;
let server: Server;
let url: string;

const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_getBlockByNumber([height]) {
    const number = height === 'latest' ? '0x64' : height === 'safe' ? `0x${final.toString(16)}` : height;
    return { number, hash: `hash-${number}`, baseFeePerGas: '0x1' };
  },
  eth_getTransactionReceipt: () => ({
    status: '0x1',
    blockNumber: '0x60',
    blockHash: 'hash-0x60',
    logs: [
      {
        address: contract,
        topics: [`0x${TRANSFER_TOPIC.replace(/^0x/, '')}`, topic(wallet), topic(payee)],
        data: `0x${paid.toString(16).padStart(64, '0')}`,
      },
    ],
  }),
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method, params } = JSON.parse(text);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? null }));
  });
  url = await openOnLoopback(server);
});
afterAll(() => closeOnLoopback(server));

const draft = { contract, address: payee, raw: 1000n };
const railOf = (finality?: 'safe') => createEvmRail({ url }, { wallet, chainId: 1, mostFee: 1n, finality });
const look = async (finality?: 'safe') =>
  (await railOf(finality).look(draft, ['0'], [{ unsigned: '', hash: '0xhash' }], REQUIRED)).sighting;

test('[WD-2] a token that keeps a fee has paid: an amount that returned would be paid twice', async () => {
  paid = 990n;
  expect(await look()).toMatchObject({ kind: 'mined', hasPaid: true });
  paid = 0n;
  expect(await look()).toMatchObject({ kind: 'mined', hasPaid: false });
});

test('[WD-2] a payout ends only in a block that the chain cannot take back, where the chain has such blocks', async () => {
  expect(await look()).toMatchObject({ depth: 5 });
  final = 0x5f;
  expect(await look('safe')).toMatchObject({ depth: REQUIRED - 1 });
  final = 0x60;
  expect(await look('safe')).toMatchObject({ depth: 5 });
});

test('[WD-2] an address with a wrong letter is refused before a payout is stored', () => {
  const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
  expect(railOf().objection({ ...draft, address: usdt })).toBeUndefined();
  expect(railOf().objection({ ...draft, address: usdt.replace(/7$/, '8') })).toBe('bad-address');
});
