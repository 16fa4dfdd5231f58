/**
 * The operator's own book of balances: a file with one line for each movement. A movement has an id and counts once, also after a crash.
 * A real operator uses its database: one table of movements with a unique id, in the transaction that changes the balance.
 */
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** `25.05` as 2505n. Money is never a floating-point number. Coins need more digits. */
export function toMinor(amount, digits = 2) {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(amount);
  const fraction = match?.[2] ?? '';
  if (match === null || /[1-9]/.test(fraction.slice(digits)))
    throw new TypeError(`This amount cannot be booked: ${amount}`);
  return BigInt(match[1]) * 10n ** BigInt(digits) + BigInt(fraction.slice(0, digits).padEnd(digits, '0'));
}

/** `2505n` as 25.05; a sign in front if the balance is below zero. */
export function toText(minor, digits = 2) {
  const [sign, size] = minor < 0n ? ['-', -minor] : ['', minor];
  const text = String(size).padStart(digits + 1, '0');
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** @param {string} path of the file */
export async function openBook(path) {
  const balances = new Map();
  const changes = new Map();
  const answers = new Map();
  const users = new Set();
  const count = ({ id, userId, currency, change, answer }) => {
    const key = `${userId} ${currency}`;
    balances.set(key, (balances.get(key) ?? 0n) + BigInt(change));
    changes.set(id, BigInt(change));
    users.add(userId);
    if (answer !== undefined) answers.set(id, answer);
  };
  if (existsSync(path)) {
    const text = readFileSync(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // A line that a crash has torn was never answered, so its movement comes again.
    if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split('\n')) if (line !== '') count(JSON.parse(line));
  }
  const file = await open(path, 'a');
  // One after the other, so that two deliveries of one webhook at the same time cannot both count.
  let last = Promise.resolve();
  const inTurn = (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const write = async (movement) => {
    await file.appendFile(`${JSON.stringify(movement)}\n`);
    // The answer goes out after the line is on the disk, not before.
    await file.datasync();
    count(movement);
  };
  const balance = (userId, currency) => balances.get(`${userId} ${currency}`) ?? 0n;
  return {
    balance,
    /** Whether the user has a movement. */
    knows: (userId) => users.has(userId),
    /**
     * Books a movement once by its id.
     *
     * @param {{ id: string, userId: string, currency: string, change: (earlier: (id: string) => bigint | undefined) => bigint }} movement
     *   `change` answers the minor units; it may ask what another movement has changed
     * @returns {Promise<boolean>} false: it was booked before
     */
    book: ({ id, userId, currency, change }) =>
      inTurn(async () => {
        if (changes.has(id)) return false;
        const movement = { id, userId, currency, change: String(change((other) => changes.get(other))) };
        await write(movement);
        return true;
      }),
    /**
     * Carries out a call of the cashier once by its id. A repeat gets the first answer, also if that was a decline.
     *
     * @param {{ id: string, userId: string, currency: string }} call
     * @param {(balance: bigint, earlier: (id: string) => bigint | undefined) => { change: bigint, answer: object }} decide
     *   `change` is in minor units. It may throw: then nothing is booked.
     * @returns {Promise<object>} the answer
     */
    carryOut: ({ id, userId, currency }, decide) =>
      inTurn(async () => {
        if (answers.has(id)) return answers.get(id);
        const { change, answer } = decide(balance(userId, currency), (other) => changes.get(other));
        await write({ id, userId, currency, change: String(change), answer });
        return answer;
      }),
    close: () => inTurn(() => file.close()),
  };
}
