import { createTestClock } from '@opencashier/core/time/test-clock';
import { HDKey } from '@scure/bip32';
import { afterEach, describe, expect, test } from 'vitest';
import { inspectChain } from './inspect-chain.ts';
import { FakeChain } from './testing/fake-chain.ts';
import { FakeNode } from './testing/fake-node.ts';

const wallet = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(3)).derive("m/84'/0'/0'").publicExtendedKey;
/** The time of the last block of a fake chain with 100 blocks. */
const lastBlockAt = (1_700_000_000 + 100 * 2) * 1000;

const open: FakeNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});
async function nodeOf(family: 'ton' | 'esplora' | 'solana', chain = new FakeChain()) {
  const node = new FakeNode(family, chain);
  open.push(node);
  return { node, url: await node.open() };
}
const settings = (urls: readonly string[], more: object = {}) => ({
  nodes: urls.map((url) => ({ url, headers: { 'X-API-Key': 'canary' } })),
  account: wallet,
  tokens: {},
  isCoinWatched: true,
  ...more,
});
const inspect = (key: string, chain: ReturnType<typeof settings>, now = lastBlockAt + 10_000) =>
  inspectChain(key, chain, createTestClock(now));

describe('[SRV-4] the inspection of a chain', () => {
  test('of good settings shows the wallet to compare and nodes that agree, and no key', async () => {
    const chain = new FakeChain();
    const [one, other] = [await nodeOf('ton', chain), await nodeOf('ton', chain)];
    const found = await inspect('ton', settings([one.url, other.url]));
    expect(found).toEqual([
      { name: 'account of ton', found: expect.stringContaining(wallet) },
      { name: 'node 1 of ton', found: 'reachable, block 100, 10 s old' },
      { name: 'node 2 of ton', found: 'reachable, block 100, 10 s old' },
      { name: 'nodes of ton', found: 'agree on block 94' },
    ]);
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  test('finds a node that has stopped, is down, or is on another branch', async () => {
    const [one, other] = [await nodeOf('ton'), await nodeOf('ton')];
    const late = await inspect('ton', settings([one.url]), lastBlockAt + 3_600_000);
    expect(late[1]).toMatchObject({ advice: expect.stringMatching(/has no new blocks/) });
    const apart = await inspect('ton', settings([one.url, other.url]));
    expect(apart.at(-1)).toMatchObject({
      found: 'disagree on block 94',
      advice: expect.stringMatching(/disagree/),
    });
    other.node.mood = 'down';
    const down = await inspect('ton', settings([one.url, other.url]));
    expect(down.map(({ advice }) => advice !== undefined)).toEqual([false, false, true]);
  });

  test('finds a node of another chain', async () => {
    const { url } = await nodeOf('esplora');
    const found = await inspect('bitcoin', settings([url], { account }));
    expect(found[0]?.found).toMatch(/first address is bc1q/);
    expect(found[1]).toMatchObject({ advice: 'The node belongs to another chain. Use a node of Bitcoin.' });
  });

  test('of Solana shows how many addresses are prepared, and finds a node of a test network', async () => {
    const { node, url } = await nodeOf('solana');
    const addresses = ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg'];
    const found = await inspect('solana', settings([url], { account: '', addresses }));
    expect(found).toMatchObject([
      { found: expect.stringContaining(`2 prepared addresses, the first is ${addresses[0]}`) },
      { found: 'reachable, block 100, of unknown age' },
    ]);
    node.solana.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    expect(await inspect('solana', settings([url], { account: '', addresses }))).toMatchObject([
      {},
      { advice: 'The node belongs to another chain. Use a node of Solana.' },
    ]);
    const twice = await inspect('solana', settings([url], { account: '', addresses: [addresses[0], addresses[0]] }));
    expect(twice).toMatchObject([{ found: 'Address 2 of "addresses" is in the list twice.' }]);
  });

  test('finds a bridged token under the name of the issuer’s', async () => {
    const usdce = { contract: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', decimals: 6 };
    const nodes = ['http://127.0.0.1:1'];
    const found = await inspect('polygon', settings(nodes, { account, tokens: { USDC: usdce } }));
    expect(found[1]).toMatchObject({
      name: 'token USDC of polygon',
      found: expect.stringContaining('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
    });
    const known = { contract: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', decimals: 6 };
    const good = await inspect('polygon', settings(nodes, { account, tokens: { USDC: known } }));
    expect(good.map(({ name }) => name)).toEqual(['account of polygon', 'node 1 of polygon']);
  });

  test.each([
    ['a wallet of the test network', 'ton', '0QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPleK'],
    ['no key at all', 'bitcoin', 'xpub-canary'],
  ])('finds %s and does not repeat it', async (_what, key, text) => {
    const found = await inspect(key, settings(['http://127.0.0.1:1'], { account: text }));
    expect(found).toMatchObject([{ name: `chain ${key}`, advice: expect.any(String) }]);
    expect(JSON.stringify(found)).not.toContain(text);
  });

  test('finds a key in the spelling of another network', async () => {
    const { url } = await nodeOf('esplora');
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const found = await inspect('dogecoin', settings([url], { account: zpub }));
    expect(found[0]).toMatchObject({ advice: 'The key belongs to bitcoin.' });
    expect(JSON.stringify(found)).not.toContain('zpub');
  });
});
