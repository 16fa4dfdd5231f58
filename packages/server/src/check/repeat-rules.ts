/** Each id counts once, and calls at the same moment keep the balance right. */
import type { Reply, SentCall } from './ask-wallet.ts';
import { type Bench, type Rule, wordsOf } from './bench.ts';
import { RuleBroken } from './rules.ts';

const together = 10;

const onceRemedy =
  'Store the id with its answer in the transaction that changes the balance, under a unique index. Answer a repeat from there.';

export const repeatRules: readonly Rule[] = [
  {
    name: 'repeat',
    says: 'The same id a second time moves nothing and gets the first answer',
    remedy: onceRemedy,
    needs: ['debit'],
    prove: async (bench) => {
      const { ask, move, amount, fund, expectBalance } = bench;
      const before = await fund(amount);
      const debit = move('debit', amount);
      const firstDebit = await ask(debit);
      expectSame(firstDebit, await ask(debit), 'debit');
      await expectBalance(before - amount, 'After one debit was sent twice under its id');
      const credit = move('credit', amount);
      const firstCredit = await ask(credit);
      expectSame(firstCredit, await ask(credit), 'credit');
      await expectBalance(before, 'After one credit was sent twice under its id');
      // The balance has changed since, and the answer of the debit has not.
      expectSame(firstDebit, await ask(debit), 'debit');
      await expectBalance(before, 'After the debit was sent a third time');
    },
  },
  {
    name: 'repeat-at-once',
    says: `The same id ${together} times at the same moment moves money once and gets one answer`,
    remedy: `${onceRemedy} A look into a table before the transaction does not suffice: two calls can look at once.`,
    needs: ['repeat'],
    prove: async (bench) => {
      const { move, amount, fund, expectBalance } = bench;
      // Enough for each of them, so that a second movement is seen and not declined.
      const before = await fund(amount * BigInt(together));
      await sendAtOnce(bench, move('debit', amount));
      await expectBalance(before - amount, `After one debit was sent ${together} times at once`);
      await sendAtOnce(bench, move('credit', amount));
      await expectBalance(before, `After one credit was sent ${together} times at once`);
    },
  },
  {
    name: 'changed-repeat',
    says: 'A call under a known id with another amount moves nothing more',
    remedy:
      'The id alone says whether a call is new. Compare the rest with what you stored, and answer a status such as 409 if it differs.',
    needs: ['repeat'],
    prove: async ({ ask, move, amount, text, fund, done, expectBalance }) => {
      const before = await fund(amount * 2n);
      for (const type of ['credit', 'debit'] as const) {
        const call = move(type, amount);
        await done(call);
        await ask({ ...move(type, amount + 1n), id: call.id });
        const after = type === 'credit' ? before + amount : before;
        await expectBalance(after, `After one ${type} was sent with ${text(amount)}, then with ${text(amount + 1n)}`);
      }
    },
  },
  {
    name: 'repeat-of-a-decline',
    says: 'A declined debit stays declined when it is repeated, also if the balance covers it by then',
    remedy:
      'Store declines as you store movements: the id with its answer. The cashier has ended the withdrawal by then.',
    needs: ['insufficient-funds', 'repeat'],
    prove: async ({ ask, move, amount, balance, done, expectBalance }) => {
      const before = await balance();
      const debit = move('debit', before + amount);
      await ask(debit);
      await done(move('credit', amount));
      const again = await ask(debit);
      await expectBalance(before + amount, 'After a declined debit was repeated with enough money');
      if (again.meaning.kind === 'declined') return;
      throw new RuleBroken(`The repeat of a declined debit was not declined: ${wordsOf(again)}.`);
    },
  },
  {
    name: 'whole-balance-at-once',
    says: `Of ${together} debits of the whole balance at the same moment, exactly one succeeds`,
    remedy:
      'Compare and take in one transaction that locks the row of the balance: update … set balance = balance - $1 where balance >= $1.',
    needs: ['insufficient-funds'],
    prove: async ({ ask, move, amount, fund, balance, text }) => {
      const whole = await fund(amount);
      const replies = await atOnce(together, () => ask(move('debit', whole)));
      const succeeded = replies.filter(({ meaning }) => meaning.kind === 'done').length;
      const left = await balance();
      // A balance below zero is answered as zero, so nobody could see later how much is missing.
      if (succeeded > 0) await ask(move('credit', whole * BigInt(succeeded)));
      if (succeeded === 1 && left === 0n) return;
      throw new RuleBroken(
        `${succeeded} of ${together} debits of the whole balance succeeded, and ${text(left)} of ${text(whole)} are left.`,
      );
    },
  },
];

function atOnce(times: number, send: () => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: times }, send));
}

/** A wallet may answer a call that is in progress with another status than 200. Then it is asked again, as by the cashier. */
async function sendAtOnce({ ask }: Bench, call: SentCall): Promise<void> {
  const known = (await atOnce(together, () => ask(call))).filter(({ meaning }) => meaning.kind !== 'unknown');
  const last = await ask(call);
  for (const reply of known) expectSame(last, reply, call.type);
  if (last.meaning.kind !== 'done') throw new RuleBroken(`A ${call.type} was not done: ${wordsOf(last)}.`);
}

function expectSame(first: Reply, again: Reply, type: string): void {
  if (first.same === again.same) return;
  throw new RuleBroken(
    `The answers to one ${type} differ: ${first.body || wordsOf(first)} and ${again.body || wordsOf(again)}.`,
  );
}
