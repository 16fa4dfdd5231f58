/**
 * What the signer has signed, in a file of JSON lines that only grows. A payment is on the disk before it is signed, so no crash makes the
 * signer forget a signature that somebody may have. A line has about 500 bytes.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * @typedef {object} Entry
 * @property {string} at ISO 8601
 * @property {string} chain
 * @property {string} payment the cashier's id of the withdrawal
 * @property {string} content everything but the fee, so that a higher fee is the same payment
 * @property {readonly string[]} slots
 * @property {string} contract
 * @property {string} units in the smallest unit
 */

/**
 * @param {string} folder
 * @param {{ readonly isNew?: boolean }} [options] `isNew`: the signer has never signed. Otherwise a missing file is an error
 * @throws when another signer has the folder, the file is missing, or a line is broken
 */
export async function openMemory(folder, { isNew = false } = {}) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = await lock(join(folder, 'lock'));
  const path = join(folder, 'memory.jsonl');
  try {
    if (existsSync(path) === isNew) {
      throw new Error(
        isNew
          ? `${path} exists. Start without NEW_MEMORY.`
          : `${path} is missing. Without it a payment may be signed twice.`,
      );
    }
    return fromFile(path, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

function fromFile(path, unlock) {
  const file = openSync(path, 'a+', 0o600);
  const entries = readWhole(file, path);
  fsyncSync(file);
  syncFolder(dirname(path));
  /** @type {Map<string, Entry>} */
  const bySlot = new Map();
  /** @type {Map<string, Entry>} */
  const byPayment = new Map();
  /** The entries of about the last day, the oldest first. */
  const recent = [];
  let { size } = fstatSync(file);
  const learn = (entry) => {
    for (const slot of entry.slots) bySlot.set(`${entry.chain} ${slot}`, entry);
    byPayment.set(entry.payment, entry);
    recent.push(entry);
  };
  for (const entry of entries) learn(entry);

  /** The lock cannot see a signer on another machine, or one that started at the same moment. Its lines make the file longer. */
  function requireSize(expected) {
    if (fstatSync(file).size !== expected) throw new Error(`Another signer writes into ${path}. Stop one of them.`);
  }

  return {
    /** @returns {Entry | undefined} the payment that a slot was signed for */
    ofSlot: (chain, slot) => bySlot.get(`${chain} ${slot}`),
    /** @returns {Entry | undefined} a withdrawal is paid once, whatever the chain */
    ofPayment: (payment) => byPayment.get(payment),
    /**
     * What was signed first in the last 24 hours: how many payments of the chain, and the sum of an asset in the smallest unit. A clock that
     * was set back frees nothing.
     */
    ofDay(chain, contract, now) {
      while (recent.length > 0 && Date.parse(recent[0].at) <= now - DAY_MS) recent.shift();
      const ofChain = recent.filter((entry) => entry.chain === chain && Date.parse(entry.at) > now - DAY_MS);
      const units = ofChain
        .filter((entry) => entry.contract === contract)
        .reduce((sum, entry) => sum + BigInt(entry.units), 0n);
      return { payments: ofChain.length, units };
    },
    /**
     * The entry is durable when this returns. It blocks, so that nothing happens between the decision and the signature.
     * @param {Entry} entry
     * @throws when it could not be written, or another signer writes into the same file. Nothing may be signed then
     */
    add(entry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      requireSize(size);
      try {
        if (writeSync(file, line) !== line.length) throw new Error(`${path} could not be written. Is the disk full?`);
        fsyncSync(file);
      } catch (error) {
        // Half a line would spoil the next one. Nothing was signed for it. Lines of another signer stay.
        if (fstatSync(file).size < size + line.length) ftruncateSync(file, size);
        throw error;
      }
      requireSize(size + line.length);
      size += line.length;
      learn(entry);
    },
    async close() {
      closeSync(file);
      await unlock();
    },
  };
}

/** A torn last line was never followed by a signature, so it is removed. Any other broken line is an error. */
function readWhole(file, path) {
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new Error(`${path}, line ${at + 1}, is broken. Restore the file from another copy that has every line.`);
      }
    });
}

/** A new file is there after a power cut only when its folder was synced as well. */
function syncFolder(folder) {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Two signers with one folder would each count half of a day. A socket is free again when its process ends. */
async function lock(path) {
  const isTaken = await new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
  if (isTaken) throw new Error(`Another signer uses ${dirname(path)}.`);
  rmSync(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise((resolve, reject) => {
    server.on('error', reject).listen(path, () => resolve(undefined));
  });
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve(undefined)));
}
