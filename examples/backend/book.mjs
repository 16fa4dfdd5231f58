/**
 * The operator's own book of balances: a file with one line for each movement. A movement has an id and counts once, also after a crash.
 * A real operator uses its database: one table of movements with a unique id, in the transaction that changes the balance.
 */
import { openLines } from './lines.mjs';

/** `25.05` as 2505n. Money is never a floating-point number. Coins need more digits. */
export function toMinor(amount, digits = 2) {
  const match = /^(\d{1,30})(?:\.(\d+))?$/.exec(amount);
  const fraction = match?.[2] ?? '';
  if (match === null || /[1-9]/.test(fraction.slice(digits)))
    throw new TypeError(`This amount cannot be booked: ${amount}`);
  return BigInt(match[1]) * 10n ** BigInt(digits) + BigInt(fraction.slice(0, digits).padEnd(digits, '0'));
}

/** `2505n` as 25.05; a sign in front if the balance is below zero. */
export function toText(minor, digits = 2) {
  const [sign, size] = minor < 0n ? ['-', -minor] : ['', minor];
  const text = String(size).padStart(digits + 1, '0');
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A call that cannot be true beside an earlier one. Nothing is booked, and people must find out which of both is wrong. */
export class Contradiction extends Error {
  name = 'Contradiction';
}

/**
 * A movement as the file has it. A call of the cashier has all fields, another movement the first five.
 *
 * @typedef {object} Movement
 * @property {string} id
 * @property {string} userId
 * @property {string} currency
 * @property {string} change minor units as text, below zero if the user has less. `0`: a declined call
 * @property {string} at ISO 8601
 * @property {'debit' | 'credit' | 'release'} [type]
 * @property {string} [reason]
 * @property {string} [amount] decimal text, as the call had it
 * @property {string} [debitId] of a release
 * @property {import('@opencashier/server').WalletDone | import('@opencashier/server').WalletDeclined} [answer]
 */

/** @param {string} path of the file */
export async function openBook(path) {
  /** @type {Awaited<ReturnType<typeof openLines<Movement>>>} */
  const lines = await openLines(path);
  /** @type {Map<string, Map<string, bigint>>} by user, then by currency */
  const balances = new Map();
  /** @type {Map<string, Movement>} */
  const movements = new Map();
  /** @type {Map<string, string>} the release of each debit */
  const releases = new Map();
  const ofUser = (userId) => balances.get(userId) ?? new Map();
  const balance = (userId, currency) => ofUser(userId).get(currency) ?? 0n;
  const count = (movement) => {
    const { id, userId, currency, change, debitId } = movement;
    balances.set(userId, ofUser(userId).set(currency, balance(userId, currency) + BigInt(change)));
    movements.set(id, movement);
    if (debitId !== undefined) releases.set(debitId, id);
  };
  for (const movement of lines.entries) count(movement);
  const write = async (movement) => {
    // The answer goes out after the line is on the disk, not before.
    await lines.append(movement);
    count(movement);
  };
  const at = () => new Date().toISOString();
  return {
    /** Minor units. */
    balance,
    /** Minor units by currency. @returns {ReadonlyMap<string, bigint>} */
    balances: (userId) => ofUser(userId),
    /** Whether the user has a movement. */
    knows: (userId) => balances.has(userId),
    /** The movements of a user, oldest first. */
    movements: (userId) => [...movements.values()].filter((movement) => movement.userId === userId),
    /**
     * Books a movement once by its id.
     *
     * @param {{ id: string, userId: string, currency: string,
     *   change: (earlier: (id: string) => bigint | undefined, balance: bigint) => bigint | undefined }} movement `change` answers the minor
     *   units; it may ask what another movement has changed. Undefined: nothing is booked
     * @returns {Promise<boolean>} false: it was booked before, or is not booked
     */
    book: ({ id, userId, currency, change }) =>
      lines.inTurn(async () => {
        if (movements.has(id)) return false;
        const earlier = (other) => (movements.has(other) ? BigInt(movements.get(other).change) : undefined);
        const minor = change(earlier, balance(userId, currency));
        if (minor === undefined) return false;
        await write({ id, userId, currency, change: String(minor), at: at() });
        return true;
      }),
    /**
     * Carries out a call of the cashier once by its id. A repeat gets the first answer, also if that was a decline.
     *
     * @param {Exclude<import('@opencashier/server').WalletCall, { type: 'balance' }>} call
     * @param {(balance: bigint, earlier: (id: string) => Movement | undefined, releaseOf: (debitId: string) => string | undefined) =>
     *   { change: bigint, answer: import('@opencashier/server').WalletDone | import('@opencashier/server').WalletDeclined }} decide
     *   `change` is in minor units. It may throw: then nothing is booked
     * @returns {Promise<any>} the answer
     * @throws {Contradiction} if the id was used for another call
     */
    carryOut: (call, decide) =>
      lines.inTurn(async () => {
        const { id, type, reason, userId, currency, amount } = call;
        const known = movements.get(id);
        if (known !== undefined) {
          expectSame(call, known, ['type', 'userId', 'currency', 'amount'], `The call ${id} came before`);
          return known.answer;
        }
        const { change, answer } = decide(
          balance(userId, currency),
          (other) => movements.get(other),
          (debitId) => releases.get(debitId),
        );
        const debitId = call.type === 'release' ? { debitId: call.debitId } : {};
        const about = { id, type, reason, userId, currency, amount, ...debitId };
        await write({ ...about, change: String(change), answer, at: at() });
        return answer;
      }),
    close: () => lines.close(),
  };
}

/**
 * Compares a call with an earlier movement.
 *
 * @param {readonly ('type' | 'userId' | 'currency' | 'amount')[]} fields
 * @param {string} what the beginning of the message
 * @throws {Contradiction}
 */
export function expectSame(call, earlier, fields, what) {
  for (const field of fields) {
    const isSame =
      field === 'amount' ? toMinor(call.amount, 18) === toMinor(earlier.amount, 18) : call[field] === earlier[field];
    if (!isSame) throw new Contradiction(`${what} with the ${field} ${earlier[field]}, and now says ${call[field]}.`);
  }
}
