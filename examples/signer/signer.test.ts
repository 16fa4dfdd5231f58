import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import { base64 } from '@scure/base';
import { Transaction as Psbt, p2wpkh } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { Transaction } from 'micro-eth-signer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openApprovals } from './approvals.mjs';
import { bitcoinAddress } from './bitcoin.mjs';
import { evmAddress } from './evm.mjs';
import { openMemory } from './memory.mjs';
import { readPolicy } from './policy.mjs';
import { createSigner } from './server.mjs';

const SECRET = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
const KEYS = { ethereum: `0x${'51'.repeat(32)}`, bitcoin: '52'.repeat(32) };
const WALLET = evmAddress(KEYS.ethereum);
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const PAYEE = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f';
const THIEF = '0x000000000000000000000000000000000000dead';
const BITCOIN_WALLET = bitcoinAddress(KEYS.bitcoin, { prefix: 'bc' }) ?? '';
const BITCOIN_PAYEE = p2wpkh(pubECDSA(new Uint8Array(32).fill(3))).address ?? '';
const policy = {
  wallets: {
    ethereum: {
      format: 'eip1559',
      chainId: 1,
      decimals: 18,
      mostFee: '0.01',
      dayPayments: 4,
      assets: {
        ETH: { decimals: 18, payment: '2', day: '3', approveAbove: '1' },
        USDT: { contract: TOKEN, decimals: 6, payment: '100', day: '250', approveAbove: '100' },
      },
    },
    bitcoin: {
      format: 'psbt',
      prefix: 'bc',
      decimals: 8,
      mostFee: '0.001',
      dayPayments: 4,
      assets: { BTC: { decimals: 8, payment: '1', day: '1', approveAbove: '1' } },
    },
  },
};

let folder: string;
let now: number;
let lines: object[];
let signer: Awaited<ReturnType<typeof createSigner>>;

async function start(isNew = false): Promise<void> {
  const settings = { secrets: [SECRET], policy: JSON.stringify(policy), keys: KEYS, folder, isNew };
  signer = await createSigner({ ...settings, now: () => now, log: (line: object) => void lines.push(line) });
  await new Promise<void>((resolve) => {
    signer.server.listen(0, '127.0.0.1', resolve);
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signer-'));
  now = Date.parse('2026-03-01T12:00:00Z');
  lines = [];
  await start(true);
});
afterEach(async () => {
  await signer.close();
  await rm(folder, { recursive: true });
});

interface Wanted {
  readonly id?: string;
  readonly nonce?: bigint;
  readonly to?: string;
  readonly units?: bigint;
  /** Gwei of each unit of gas. */
  readonly gwei?: bigint;
  readonly chainId?: bigint;
  readonly token?: boolean;
}

function evmRequest({ id = randomUUID(), nonce = 1n, to = PAYEE, units = 10n ** 17n, ...more }: Wanted = {}) {
  const { gwei = 30n, chainId = 1n, token = false } = more;
  const word = (text: string): string => text.padStart(64, '0');
  const call = token
    ? { to: TOKEN, value: 0n, data: `0xa9059cbb${word(to.slice(2))}${word(units.toString(16))}` }
    : { to, value: units, data: '0x' };
  const fees = { gasLimit: 60_000n, maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: 1n };
  const fields = { type: 'eip1559' as const, chainId, nonce, accessList: [], ...call, ...fees };
  return {
    type: 'payout.sign',
    withdrawalId: id,
    operator: 'acme',
    version: 1,
    chain: 'ethereum',
    wallet: WALLET,
    pays: {
      coin: token ? 'USDT' : 'ETH',
      ...(token && { contract: TOKEN }),
      address: to,
      amount: String(units),
      units: String(units),
    },
    mostFeeUnits: '1',
    format: 'eip1559',
    unsigned: Transaction.prepare(fields, false).toHex({ includeSignature: false }),
    deadline: new Date(now + 20_000).toISOString(),
  };
}

function psbtRequest({
  id = randomUUID(),
  values = [50_000_000n],
  change = 39_990_000n,
  first = 1,
  key = KEYS.bitcoin,
} = {}) {
  const { script } = p2wpkh(pubECDSA(Buffer.from(key, 'hex')));
  const transaction = new Psbt({ version: 2, lockTime: 0 });
  for (const [at, amount] of values.entries())
    transaction.addInput({ txid: new Uint8Array(32).fill(first + at), index: 0, witnessUtxo: { script, amount } });
  transaction.addOutputAddress(BITCOIN_PAYEE, 10_000_000n);
  if (change > 0n) transaction.addOutputAddress(BITCOIN_WALLET, change);
  return {
    ...evmRequest({ id }),
    chain: 'bitcoin',
    wallet: BITCOIN_WALLET,
    pays: { coin: 'BTC', address: BITCOIN_PAYEE, amount: '0.1', units: '10000000' },
    format: 'psbt',
    unsigned: base64.encode(transaction.toPSBT(0)),
  };
}

async function post(request: object, { at = now, secret = SECRET } = {}) {
  const body = JSON.stringify(request);
  const headers = createWebhookSignatures([secret]).sign('id-1', body, at);
  const { port } = signer.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/sign`, {
    method: 'POST',
    body,
    headers: { connection: 'close', ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, ...(text === '' ? {} : JSON.parse(text)) };
}
const refused = (code: string) => ({ status: 200, outcome: 'refused', code });

test('[WD-2] a payment is signed by the wallet, and the same request gets the same bytes, also after a restart', async () => {
  const request = evmRequest();
  const first = await post(request);
  expect(first).toMatchObject({ status: 200, outcome: 'signed' });
  const read = Transaction.fromHex(first.transaction);
  expect(read.recoverSender().address).toBe(WALLET);
  expect(read.removeSignature().toHex({ includeSignature: false })).toBe(request.unsigned);
  await signer.close();
  await start();
  expect(await post(request)).toEqual(first);
  expect((await readFile(join(folder, 'memory.jsonl'), 'utf8')).split('\n')).toHaveLength(2);
});

test('[WD-2] a stranger, an old request and a broken one get no answer, and nothing is remembered', async () => {
  const stranger = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  expect((await post(evmRequest(), { secret: stranger })).status).toBe(401);
  expect((await post(evmRequest(), { at: now - 301_000 })).status).toBe(401);
  expect((await post({ ...evmRequest(), withdrawalId: 'x' })).status).toBe(400);
  expect((await post({ ...evmRequest(), pays: 7 })).status).toBe(400);
  expect(await post({ ...evmRequest(), deadline: new Date(now).toISOString() })).toMatchObject({ outcome: 'later' });
  expect(await readFile(join(folder, 'memory.jsonl'), 'utf8')).toBe('');
});

const wrong: readonly (readonly [string, () => object, string])[] = [
  ['another recipient', () => ({ ...evmRequest({ to: THIEF }), pays: evmRequest().pays }), 'other-recipient'],
  ['another amount', () => ({ ...evmRequest({ units: 5n }), pays: evmRequest().pays }), 'other-amount'],
  ['another coin', () => ({ ...evmRequest({ token: true, units: 5n }), pays: evmRequest().pays }), 'other-contract'],
  ['another network', () => evmRequest({ chainId: 137n }), 'not-a-payment'],
  ['a fee above the limit', () => evmRequest({ gwei: 200n }), 'fee-limit'],
  ['a payment above the limit', () => evmRequest({ units: 2n * 10n ** 18n + 1n }), 'payment-limit'],
  ['an amount of nothing', () => evmRequest({ units: 0n }), 'other-amount'],
  ['another chain', () => ({ ...evmRequest(), chain: 'bsc' }), 'chain-not-allowed'],
  ['another wallet', () => ({ ...evmRequest(), wallet: THIEF }), 'other-wallet'],
  ['bytes that are no transaction', () => ({ ...evmRequest(), unsigned: '0x02' }), 'not-a-payment'],
  ['an input of a stranger', () => psbtRequest({ key: '53'.repeat(32) }), 'not-a-payment'],
  ['coins that become fees', () => psbtRequest({ change: 0n }), 'fee-limit'],
];
for (const [what, request, code] of wrong) {
  test(`[WD-2] refused: ${what}`, async () => {
    expect(await post(request())).toEqual(refused(code));
    expect(await readFile(join(folder, 'memory.jsonl'), 'utf8')).toBe('');
  });
}

test('[WD-2] a higher fee is the same payment, and a second nonce for a payment is refused, also after a restart', async () => {
  const id = randomUUID();
  expect(await post(evmRequest({ id }))).toMatchObject({ outcome: 'signed' });
  expect(await post(evmRequest({ id, gwei: 40n }))).toMatchObject({ outcome: 'signed' });
  await signer.close();
  await start();
  expect(await post(evmRequest({ id, nonce: 2n }))).toEqual(refused('payment-was-signed'));
  expect(await post(evmRequest({ id, units: 5n }))).toEqual(refused('payment-was-signed'));
  expect(await post(evmRequest({ units: 5n }))).toEqual(refused('slot-was-signed'));
  expect(await post(evmRequest({ nonce: 2n }))).toMatchObject({ outcome: 'signed' });
});

test('[WD-2] the limit of a day counts each payment once, by coin, and frees it after 24 hours', async () => {
  const id = randomUUID();
  const hundred = 100_000_000n;
  for (const gwei of [30n, 40n, 50n])
    expect(await post(evmRequest({ id, token: true, units: hundred, gwei }))).toMatchObject({ outcome: 'signed' });
  expect(await post(evmRequest({ nonce: 2n, token: true, units: hundred }))).toMatchObject({ outcome: 'signed' });
  expect(await post(evmRequest({ nonce: 3n, token: true, units: hundred }))).toEqual(refused('day-limit'));
  expect(await post(evmRequest({ nonce: 3n }))).toMatchObject({ outcome: 'signed' });
  await signer.close();
  await start();
  expect(await post(evmRequest({ nonce: 4n, token: true, units: hundred }))).toEqual(refused('day-limit'));
  now += 24 * 60 * 60 * 1000;
  expect(await post(evmRequest({ nonce: 4n, token: true, units: hundred }))).toMatchObject({ outcome: 'signed' });
});

test('[WD-2] many small payments cannot give the wallet away as fees', async () => {
  for (const nonce of [1n, 2n, 3n, 4n])
    expect(await post(evmRequest({ nonce, units: 1n }))).toMatchObject({ outcome: 'signed' });
  expect(await post(evmRequest({ nonce: 5n, units: 1n }))).toEqual(refused('day-limit'));
  expect(await post(psbtRequest())).toMatchObject({ outcome: 'signed' });
  now += 24 * 60 * 60 * 1000;
  expect(await post(evmRequest({ nonce: 5n, units: 1n }))).toMatchObject({ outcome: 'signed' });
});

test('[WD-2] payments that the cashier asks for no more make room for others that wait for people', async () => {
  const large = () => evmRequest({ units: 15n * 10n ** 17n });
  for (let count = 0; count < 200; count += 1) await post(large());
  const kept = large();
  expect(await post(kept)).toMatchObject({ outcome: 'later' });
  const ids = () =>
    openApprovals(folder)
      .list()
      .map(({ withdrawalId }: { withdrawalId: string }) => withdrawalId);
  expect(ids()).toHaveLength(200);
  now += 24 * 60 * 60 * 1000;
  expect(await post({ ...kept, deadline: new Date(now + 20_000).toISOString() })).toMatchObject({ outcome: 'later' });
  expect(ids()).toEqual([kept.withdrawalId]);
});

test('[WD-2] two signers that write into one memory sign nothing further', async () => {
  expect(await post(evmRequest())).toMatchObject({ outcome: 'signed' });
  // As a signer on another machine does, which the lock cannot see.
  const line = `${JSON.stringify({ at: new Date(now).toISOString(), chain: 'ethereum', payment: randomUUID(), content: '', slots: ['2'], contract: '', units: '1' })}\n`;
  await appendFile(join(folder, 'memory.jsonl'), line);
  expect((await post(evmRequest({ nonce: 2n }))).status).toBe(500);
  expect(lines.at(-1)).toMatchObject({ event: 'failed', message: expect.stringContaining('Another signer writes') });
  await signer.close();
  await start();
  expect(await post(evmRequest({ nonce: 2n }))).toEqual(refused('slot-was-signed'));
  expect(await post(evmRequest({ nonce: 3n }))).toMatchObject({ outcome: 'signed' });
});

test('[WD-2] a large payment waits until two people have approved it, and the approval is of this payment alone', async () => {
  const large = evmRequest({ units: 15n * 10n ** 17n });
  expect(await post(large)).toMatchObject({ outcome: 'later' });
  const approvals = openApprovals(folder);
  const [waiting] = approvals.list();
  expect(waiting).toMatchObject({ withdrawalId: large.withdrawalId, address: PAYEE, coin: 'ETH' });
  expect(approvals.approve(waiting.id, 'ann')).toBe(1);
  expect(approvals.approve(waiting.id, 'ann')).toBe(1);
  expect(await post(large)).toMatchObject({ outcome: 'later' });
  expect(() => approvals.approve(waiting.id, '../bob')).toThrow(RangeError);
  expect(() => approvals.approve('0000000000000000', 'bob')).toThrow(RangeError);
  expect(approvals.approve(waiting.id, 'bob')).toBe(2);
  const other = evmRequest({ id: large.withdrawalId, units: 15n * 10n ** 17n, to: THIEF });
  expect(await post(other)).toMatchObject({ outcome: 'later' });
  expect(await post(large)).toMatchObject({ outcome: 'signed' });
  expect(approvals.list().map(({ address }: { address: string }) => address)).toEqual([THIEF]);
});

test('[WD-2] a PSBT is signed, and an input cannot have another amount in a second request', async () => {
  const id = randomUUID();
  const first = await post(psbtRequest({ id, values: [50_000_000n, 1000n], change: 39_990_000n }));
  expect(first).toMatchObject({ outcome: 'signed' });
  const signed = Psbt.fromPSBT(base64.decode(first.transaction));
  signed.finalize();
  expect(signed.fee).toBe(11_000n);
  const lie = psbtRequest({ id, values: [1000n, 50_000_000n], change: 39_990_000n });
  expect(await post(lie)).toEqual(refused('payment-was-signed'));
  expect(await post(psbtRequest({ first: 2 }))).toEqual(refused('slot-was-signed'));
  // A smaller change is a higher fee.
  expect(await post(psbtRequest({ id, values: [50_000_000n, 1000n], change: 39_980_000n }))).toMatchObject({
    outcome: 'signed',
  });
});

test('[WD-2] the memory must be there, has one user, and loses only a line that was torn', async () => {
  await post(evmRequest());
  await expect(openMemory(folder)).rejects.toThrow('Another signer');
  await signer.close();
  const path = join(folder, 'memory.jsonl');
  await appendFile(path, '{"torn');
  await start();
  expect(await post(evmRequest({ units: 5n }))).toEqual(refused('slot-was-signed'));
  expect(await post(evmRequest({ nonce: 2n }))).toMatchObject({ outcome: 'signed' });
  await signer.close();
  await expect(openMemory(folder, { isNew: true })).rejects.toThrow('exists');
  const whole = await readFile(path, 'utf8');
  await writeFile(path, `x${whole}`);
  await expect(openMemory(folder)).rejects.toThrow('line 1');
  await rm(path);
  await expect(openMemory(folder)).rejects.toThrow('missing');
  await writeFile(path, whole);
  await start();
});

test('[WD-2] a policy with a misspelt limit, a missing one or too fine an amount is refused by its place', async () => {
  const text = (asset: object): string =>
    JSON.stringify({ wallets: { ethereum: { ...policy.wallets.ethereum, assets: { ETH: asset } } } });
  const whole = { decimals: 18, payment: '2', day: '3', approveAbove: '1' };
  expect(readPolicy(text(whole)).get('ethereum')?.assets.get('')?.payment).toBe(2n * 10n ** 18n);
  expect(() => readPolicy(text({ ...whole, dayly: '3' }))).toThrow('wallets.ethereum.assets.ETH.dayly');
  expect(() => readPolicy(text({ ...whole, day: undefined }))).toThrow('wallets.ethereum.assets.ETH.day');
  expect(() => readPolicy(text({ ...whole, decimals: 0, payment: '0.5' }))).toThrow('ETH.payment');
  readPolicy(await readFile(new URL('./policy.example.json', import.meta.url), 'utf8'));
});

test('[WD-2] no line of the log has a key, a secret or an address', async () => {
  await post(evmRequest());
  await post(evmRequest({ units: 3n * 10n ** 18n, nonce: 2n }));
  const text = JSON.stringify(lines);
  expect(lines).toMatchObject([{ event: 'signed' }, { event: 'refused', code: 'payment-limit' }]);
  for (const hidden of [PAYEE, SECRET, KEYS.ethereum, KEYS.bitcoin]) expect(text).not.toContain(hidden);
});
