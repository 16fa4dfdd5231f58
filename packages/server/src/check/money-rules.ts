/** What each call does to the balance. */
import { randomUUID } from 'node:crypto';
import { type Bench, type Rule, wordsOf } from './bench.ts';
import { RuleBroken } from './rules.ts';

const exactRemedy =
  'Count in whole minor units, never in floating-point numbers. Answer "done" with the balance after the call and your own transactionId.';

export const moneyRules: readonly Rule[] = [
  {
    name: 'credit',
    says: 'A credit raises the balance by exactly the amount, and is answered with balance and transactionId',
    remedy: `${exactRemedy} The test user must have no rule that holds a deposit back.`,
    needs: ['balance'],
    prove: async (bench) => {
      const { move, amount, balance, done } = bench;
      const before = await balance();
      await expectMoved(bench, await done(move('credit', amount)), before + amount, 'After a credit');
    },
  },
  {
    name: 'debit',
    says: 'A debit lowers the balance by exactly the amount, and is answered with balance and transactionId',
    remedy: exactRemedy,
    needs: ['credit'],
    prove: async (bench) => {
      const { move, amount, fund, done } = bench;
      const before = await fund(amount);
      await expectMoved(bench, await done(move('debit', amount)), before - amount, 'After a debit');
    },
  },
  {
    name: 'insufficient-funds',
    says: 'A debit above the balance is declined with insufficient-funds and moves nothing',
    remedy:
      'Compare the amount with the balance in the same transaction that takes it. Answer {"result":"declined","code":"insufficient-funds"} with status 200.',
    needs: ['debit'],
    prove: async ({ ask, move, balance, expectBalance }) => {
      const before = await balance();
      const reply = await ask(move('debit', before + 1n));
      const { meaning } = reply;
      // A balance below zero is answered as zero, so nobody could see later how much is missing.
      if (meaning.kind === 'done') await ask(move('credit', before + 1n));
      else await expectBalance(before, 'After a debit above the balance');
      if (meaning.kind === 'declined' && meaning.code === 'insufficient-funds') return;
      throw new RuleBroken(`A debit above the balance was not declined with insufficient-funds: ${wordsOf(reply)}.`);
    },
  },
  {
    name: 'forced-debit',
    says: 'A forced debit above the balance is taken whole, also below zero, or is declined and moves nothing',
    remedy:
      'forced says that the money has left already. Take the whole amount and let the balance fall below zero (answer "0.00" then), or decline it.',
    needs: ['debit'],
    prove: proveForced,
  },
  {
    name: 'unknown-user',
    says: 'A debit of a user whom the wallet does not know is declined, and no error',
    remedy: 'Answer {"result":"declined","code":"unknown-user"} with status 200, and take nothing from anybody.',
    needs: ['debit'],
    prove: async ({ ask, move, amount, fund, expectBalance }) => {
      const before = await fund(amount);
      const reply = await ask(move('debit', amount, { userId: `nobody-${randomUUID()}` }));
      await expectBalance(before, 'After a debit of an unknown user, for the test user');
      if (reply.meaning.kind === 'declined') return;
      throw new RuleBroken(`A debit of an unknown user was not declined: ${wordsOf(reply)}.`);
    },
  },
  {
    name: 'unknown-type',
    says: 'A call of an unknown type is refused without an error, and moves nothing',
    remedy: 'Answer status 400 to a type that you do not know. A later version of the cashier may have more types.',
    needs: ['balance'],
    prove: async ({ ask, move, amount, balance, expectBalance }) => {
      const before = await balance();
      const reply = await ask({ ...move('debit', amount), type: 'wallet-check' });
      await expectBalance(before, 'After a call of an unknown type');
      const { status } = reply;
      if (reply.meaning.kind === 'declined' || (status !== undefined && status >= 400 && status < 500)) return;
      throw new RuleBroken(`A call of an unknown type was not refused with status 400: ${wordsOf(reply)}.`);
    },
  },
];

/** Requires the balance of an answer, and that the next question answers the same. */
export async function expectMoved({ text, expectBalance }: Bench, answered: bigint, expected: bigint, after: string) {
  await expectBalance(expected, after);
  if (answered === expected) return;
  throw new RuleBroken(`${after}, the answer says ${text(answered)}, but the balance is ${text(expected)}.`);
}

async function proveForced({ ask, move, amount, balance, done, expectBalance, text }: Bench): Promise<void> {
  const before = await balance();
  const taken = before + amount;
  const reply = await ask(move('debit', taken, { forced: true, reason: 'chargeback' }));
  const { meaning } = reply;
  if (meaning.kind === 'declined') return expectBalance(before, 'After a declined forced debit');
  if (meaning.kind === 'unknown') throw new RuleBroken(`A forced debit has no certain answer: ${wordsOf(reply)}.`);
  if (meaning.balance !== 0n) {
    throw new RuleBroken(`A forced debit above the balance was answered with ${text(meaning.balance)}, not with zero.`);
  }
  await expectBalance(0n, 'After a forced debit above the balance');
  await done(move('credit', taken));
  await expectBalance(before, 'After a forced debit below zero and a credit of the same amount');
}
