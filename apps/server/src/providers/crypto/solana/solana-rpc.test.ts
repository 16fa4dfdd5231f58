import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { NodeError } from '../chain/chain-source.ts';
import { SolanaRpc } from './solana-rpc.ts';

/** How many transactions the account has. The oldest is number 0. */
let count = 0;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, params } = JSON.parse(text);
    const { limit, before } = params[1] as { limit: number; before?: string };
    const newest = before === undefined ? count : Number(before);
    const result = Array.from({ length: Math.min(limit, newest) }, (_, at) => ({
      signature: String(newest - 1 - at),
      slot: 1,
      err: null,
    }));
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  url = await openOnLoopback(server);
});
afterAll(() => closeOnLoopback(server));

test('[SRV-4] the oldest transactions come first, however many tiny ones a stranger has sent after them', async () => {
  count = 5200;
  const found = await new SolanaRpc({ url }).signaturesOf('account', undefined);
  expect(found.slice(0, 2).map(({ signature }) => signature)).toEqual(['0', '1']);
  expect(found).toHaveLength(1000);
});

test('[SRV-4] an account whose transactions have no end is an error, and not a part of them', async () => {
  count = 60_000;
  await expect(new SolanaRpc({ url }).signaturesOf('account', undefined)).rejects.toThrow(NodeError);
});
