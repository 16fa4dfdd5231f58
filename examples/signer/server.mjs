/**
 * A signer for payouts of coins (docs/payouts.md). It has the key, a policy of its own, and a memory of everything that it has signed. It
 * reads each transaction itself, and believes the cashier nothing.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import { openApprovals } from './approvals.mjs';
import { bitcoinAddress, readPsbt, signPsbt } from './bitcoin.mjs';
import { evmAddress, readEvm, signEvm } from './evm.mjs';
import { judge } from './judge.mjs';
import { openMemory } from './memory.mjs';
import { readPolicy } from './policy.mjs';

const LONGEST_BODY = 256 * 1024;
const MOST_CONNECTIONS = 16;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What one form of transactions needs. */
const FORMATS = {
  eip1559: { address: evmAddress, read: (request, wallet) => readEvm(request.unsigned, wallet), sign: signEvm },
  psbt: {
    address: bitcoinAddress,
    read: (request, wallet, key) => readPsbt(request.unsigned, wallet, key, request.pays.address),
    sign: signPsbt,
  },
};

/**
 * @param {object} settings
 * @param {readonly string[]} settings.secrets `whsec_…`, one or two while it changes
 * @param {string} settings.policy the text of `policy.json`
 * @param {Readonly<Record<string, string>>} settings.keys a private key in hex for each chain of the policy
 * @param {string} settings.folder of the memory and the approvals
 * @param {boolean} [settings.isNew] the signer has never signed
 * @param {() => number} [settings.now]
 * @param {(line: object) => void} [settings.log]
 * @returns {Promise<{ server: import('node:http').Server, close: () => Promise<void> }>} not listening yet
 */
export async function createSigner({ secrets, policy, keys, folder, isNew, now = Date.now, log = () => undefined }) {
  const signatures = createWebhookSignatures(secrets);
  const wallets = new Map(
    [...readPolicy(policy)].map(([chain, wallet]) => [chain, openWallet(chain, wallet, keys[chain])]),
  );
  const approvals = openApprovals(folder, now);
  const memory = await openMemory(folder, { isNew });

  /** Without a pause between the decision, the disk and the signature, so that no second request comes between them. */
  function decide(request) {
    const wallet = wallets.get(request.chain);
    if (wallet === undefined) return { outcome: 'refused', code: 'chain-not-allowed' };
    if (request.format !== wallet.format) return { outcome: 'refused', code: 'other-format' };
    if (request.wallet.toLowerCase() !== wallet.address.toLowerCase())
      return { outcome: 'refused', code: 'other-wallet' };
    // Nobody waits for this answer any more. The same request comes again.
    if (Date.parse(request.deadline) <= now()) return { outcome: 'later' };
    const payment = wallet.read(request);
    const verdict = judge({ request, payment, wallet }, memory, now(), approvals.count);
    if (verdict.kind === 'refuse') return { outcome: 'refused', code: verdict.code };
    if (verdict.kind === 'wait') {
      approvals.ask(verdict.entry, request);
      return { outcome: 'later' };
    }
    if (verdict.isNew) memory.add(verdict.entry);
    approvals.forget(verdict.entry);
    return { outcome: 'signed', transaction: wallet.sign(request.unsigned) };
  }

  async function answer(incoming) {
    if (incoming.method !== 'POST' || incoming.url !== '/sign') return [404];
    const rawBody = await bodyOf(incoming);
    if (rawBody === undefined) return [413];
    const verified = signatures.verify({ headers: incoming.headers, rawBody, receivedAt: now() });
    if (verified.kind !== 'verified') {
      log({ event: 'not-from-the-cashier', reason: verified.reason });
      return [401];
    }
    const request = readRequest(rawBody);
    if (request === undefined) return [400];
    const { withdrawalId, version, chain } = request;
    const decided = decide(request);
    log({ event: decided.outcome, withdrawalId, version, chain, ...(decided.code && { code: decided.code }) });
    return [200, JSON.stringify(decided)];
  }

  const server = createServer({ requestTimeout: 10_000 }, async (incoming, response) => {
    const [status, body = ''] = await answer(incoming).catch((error) => {
      log({ event: 'failed', message: error instanceof Error ? error.message : 'unknown' });
      return [500];
    });
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
  });
  server.maxConnections = MOST_CONNECTIONS;
  return {
    server,
    /** Ends when no request is in work, and the folder is free for another signer. */
    async close() {
      await new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeIdleConnections();
      });
      await memory.close();
    },
  };
}

function openWallet(chain, wallet, key) {
  const hexKey = key?.trim().replace(/^0x/, '') ?? '';
  if (!/^[0-9a-fA-F]{64}$/.test(hexKey)) throw new RangeError(`The key of ${chain} must be 32 bytes in hex`);
  const { address, read, sign } = FORMATS[wallet.format];
  return {
    ...wallet,
    address: address(hexKey, wallet),
    read: (request) => read(request, wallet, hexKey),
    sign: (unsigned) => sign(unsigned, hexKey),
  };
}

/** @returns undefined for a longer body */
async function bodyOf(incoming) {
  const parts = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size > LONGEST_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** @returns undefined for anything but a request of the protocol */
function readRequest(rawBody) {
  let value;
  try {
    value = JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
  const { type, withdrawalId, operator, version, chain, wallet, pays, format, unsigned, deadline } = value ?? {};
  const { coin, contract, address, amount, units } = pays ?? {};
  const texts = [
    withdrawalId,
    operator,
    chain,
    wallet,
    format,
    unsigned,
    deadline,
    coin,
    contract ?? '',
    address,
    amount,
    units,
  ];
  if (type !== 'payout.sign' || !texts.every((text) => typeof text === 'string')) return undefined;
  if (!UUID.test(withdrawalId) || !Number.isInteger(version) || Number.isNaN(Date.parse(deadline))) return undefined;
  return value;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const {
    SIGNER_SECRETS_FILE,
    POLICY_FILE = 'policy.json',
    STATE_FOLDER = 'state',
    PORT = '4100',
    HOST = '127.0.0.1',
  } = process.env;
  if (!SIGNER_SECRETS_FILE) throw new Error('Set SIGNER_SECRETS_FILE.');
  const policy = readFileSync(POLICY_FILE, 'utf8');
  const keys = Object.fromEntries(
    [...readPolicy(policy).keys()].map((chain) => {
      const name = `KEY_${chain.toUpperCase()}_FILE`;
      const path = process.env[name];
      if (!path) throw new Error(`Set ${name}: the file with the private key of ${chain}.`);
      return [chain, readFileSync(path, 'utf8')];
    }),
  );
  const signer = await createSigner({
    secrets: readFileSync(SIGNER_SECRETS_FILE, 'utf8')
      .split(/[\s,]+/)
      .filter((one) => one !== ''),
    policy,
    keys,
    folder: STATE_FOLDER,
    isNew: process.env.NEW_MEMORY === '1',
    log: (line) => console.log(JSON.stringify({ at: new Date().toISOString(), ...line })),
  });
  signer.server.listen(Number(PORT), HOST, () => console.log(`The signer listens on http://${HOST}:${PORT}/sign`));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void signer.close());
}
