/** A debit comes back once, to the user from whom it was taken, and only if it took something. */
import { randomUUID } from 'node:crypto';
import type { Reply, SentCall } from './ask-wallet.ts';
import type { Bench, Rule } from './bench.ts';
import { expectMoved } from './money-rules.ts';
import { RuleBroken } from './rules.ts';

export const releaseRules: readonly Rule[] = [
  {
    name: 'release',
    says: 'A release gives the amount of its debit back once, and a later repeat of the debit takes nothing',
    remedy:
      'Store the id of each release and each debit with its answer, in the transaction that changes the balance. Give a repeat that answer.',
    needs: ['debit', 'repeat'],
    prove: async (bench) => {
      const { ask, move, amount, fund, done, expectBalance } = bench;
      const before = await fund(amount);
      const debit = move('debit', amount);
      await done(debit);
      const { withdrawalId } = debit;
      const release = move('release', amount, { debitId: debit.id, withdrawalId });
      await expectMoved(bench, await done(release), before, 'After a debit and its release');
      await ask(release);
      await expectBalance(before, 'After the release was repeated under its id');
      await ask(debit);
      await expectBalance(before, 'After the debit was repeated, which had been released');
    },
  },
  {
    name: 'unknown-release',
    says: 'A release of a debit that the wallet does not know moves nothing and is not confirmed',
    remedy:
      'Look for debitId in your book. If no debit has it, answer a status such as 404: the cashier sends a release only after your "done".',
    needs: ['debit'],
    prove: async ({ ask, move, amount, balance, expectBalance }) => {
      const before = await balance();
      const reply = await ask(move('release', amount, { debitId: randomUUID() }));
      await expectBalance(before, 'After a release of an unknown debit');
      if (reply.meaning.kind === 'done')
        throw new RuleBroken('A release of an unknown debit was answered with "done".');
    },
  },
  {
    name: 'release-of-a-decline',
    says: 'A release of a declined debit moves nothing and is not confirmed',
    remedy:
      'A decline is stored like a movement, but it took nothing. Look whether the debit of debitId was done, not only whether its id is known.',
    needs: ['insufficient-funds', 'unknown-release'],
    prove: async (bench) => {
      const { ask, move, amount, balance, text, expectBalance } = bench;
      const before = await balance();
      const debit = move('debit', before + amount);
      await ask(debit);
      const reply = await ask(releaseOf(bench, debit, { amount: amountOf(debit) }));
      expectRefused(reply, `a debit of ${text(before + amount)} that was declined`);
      await expectBalance(before, 'After a release of a declined debit');
    },
  },
  {
    name: 'changed-release',
    says: 'A release with another amount, currency or user than its debit moves nothing and is not confirmed',
    remedy:
      'Store user, currency and amount of each debit. Compare a release with its debit, and answer a status such as 409 if they differ.',
    needs: ['release', 'unknown-release', 'unknown-user'],
    prove: proveChanged,
  },
  {
    name: 'second-release',
    says: 'A second release of the same debit under another id moves nothing and is not confirmed',
    remedy: 'Keep the id of the release with its debit, under a unique index. A debit comes back once.',
    needs: ['release', 'unknown-release'],
    prove: async (bench) => {
      const { ask, move, amount, fund, done, expectBalance } = bench;
      const before = await fund(amount);
      const debit = move('debit', amount);
      await done(debit);
      await done(releaseOf(bench, debit));
      const reply = await ask(releaseOf(bench, debit));
      await expectBalance(before, 'After a second release of one debit under another id');
      expectRefused(reply, 'a debit that had come back already');
    },
  },
  {
    name: 'late-debit',
    says: 'A debit that arrives after its refused release moves what it answers, and can be released then',
    remedy:
      'Store an id only with a final answer. A call that ended with an error is carried out when it comes again, because its reason may be gone.',
    needs: ['release', 'unknown-release'],
    prove: async (bench) => {
      const { ask, move, amount, fund, done, expectBalance } = bench;
      const before = await fund(amount);
      const debit = move('debit', amount);
      const release = releaseOf(bench, debit);
      await ask(release);
      const { meaning } = await ask(debit);
      if (meaning.kind !== 'done') return expectBalance(before, 'After a late debit that was not done');
      await expectBalance(before - amount, 'After a debit that arrived after its release');
      await done(release);
      await expectBalance(before, 'After the release of a late debit was sent again');
    },
  },
];

const amountOf = ({ amount }: SentCall): string => amount ?? '';

/** A release of this debit, under a new id. */
function releaseOf({ move, amount }: Bench, { id, withdrawalId }: SentCall, more: object = {}): SentCall {
  return move('release', amount, { debitId: id, withdrawalId, ...more });
}

/** Requires that a release was not confirmed. */
function expectRefused({ meaning }: Reply, what: string): void {
  if (meaning.kind === 'done') throw new RuleBroken(`A release of ${what} was answered with "done".`);
}

async function proveChanged(bench: Bench): Promise<void> {
  const { ask, move, amount, fund, done, expectBalance, text } = bench;
  const before = await fund(amount);
  const debit = move('debit', amount);
  await done(debit);
  const wrong = [
    { what: `another amount (${text(amount + 1n)})`, more: { amount: amountOf(move('release', amount + 1n)) } },
    { what: 'another currency', more: { currency: debit.currency === 'EUR' ? 'USD' : 'EUR' } },
    { what: 'another user', more: { userId: `nobody-${randomUUID()}` } },
  ];
  for (const { what, more } of wrong) {
    const release = releaseOf(bench, debit, more);
    const { meaning } = await ask(release);
    // Whoever got the amount loses it again.
    if (meaning.kind === 'done') await ask({ ...move('debit', amount), ...more, amount: amountOf(release) });
    await expectBalance(before - amount, `After a release with ${what} than its debit`);
    if (meaning.kind === 'done') {
      throw new RuleBroken(`A release with ${what} than its debit of ${text(amount)} was answered with "done".`);
    }
  }
  await done(releaseOf(bench, debit));
  await expectBalance(before, 'After the right release, which came after wrong ones');
}
