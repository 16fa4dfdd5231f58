/** Only the cashier moves money: what the wallet must refuse, and the change of a secret. */
import { type Bench, type Rule, wordsOf } from './bench.ts';
import { RuleBroken } from './rules.ts';
import { type Otherwise, remedyOf, secretOfAStranger } from './signed-post.ts';

const verifyRemedy =
  'Verify the signature over the raw bytes before you read anything, and answer 401 if it is wrong. handleWalletCall of @opencashier/server does so.';

export const signatureRules: readonly Rule[] = [
  {
    name: 'balance',
    says: 'A signed balance call is answered with an amount in the currency of the call',
    remedy:
      'Answer HTTP 200 with {"result":"done","balance":"25.00"}. The balance is a text, at most with the decimals of the currency, and "0.00" below zero.',
    needs: [],
    prove: async ({ ask, balanceCall }) => {
      const reply = await ask(balanceCall());
      if (reply.meaning.kind === 'done') return;
      throw new RuleBroken(`A balance call was not answered: ${wordsOf(reply)}.`, remedyOf(reply.status, 'wallet'));
    },
  },
  {
    name: 'unsigned',
    says: 'A call without a signature is refused',
    remedy: verifyRemedy,
    needs: ['balance'],
    prove: (bench) => refuses(bench, 'without a signature', { secrets: [] }),
  },
  {
    name: 'wrong-signature',
    says: 'A call signed with another secret, or changed after it was signed, is refused',
    remedy: verifyRemedy,
    needs: ['balance'],
    prove: async (bench) => {
      await refuses(bench, 'signed with another secret', { secrets: [secretOfAStranger] });
      await refuses(bench, 'whose body was changed after it was signed', { change: (body) => `${body} ` });
    },
  },
  {
    name: 'old-call',
    says: 'A call whose time differs by more than five minutes is refused',
    remedy:
      'Refuse a webhook-timestamp that differs from your clock by more than five minutes. Otherwise a stranger can replay a recorded call.',
    needs: ['balance'],
    prove: async (bench) => {
      await refuses(bench, 'that was signed ten minutes ago', { secondsAgo: 600 });
      await refuses(bench, 'that is ten minutes ahead', { secondsAgo: -600 });
    },
  },
  {
    name: 'secret-rotation',
    says: 'While a secret is changed, a call with two signatures is accepted',
    remedy:
      'webhook-signature has one or more signatures with spaces between them. Compare each with each of your secrets, and accept the call if one fits.',
    needs: ['balance'],
    prove: async ({ balanceCall, done, secrets }) => {
      for (const secret of secrets) {
        await done(balanceCall(), { secrets: [secret] });
        await done(balanceCall(), { secrets: [secret, secretOfAStranger] });
        await done(balanceCall(), { secrets: [secretOfAStranger, secret] });
      }
    },
  },
];

async function refuses({ ask, move, amount, balance }: Bench, what: string, otherwise: Otherwise): Promise<void> {
  const before = await balance();
  const reply = await ask(move('debit', amount), otherwise);
  const after = await balance();
  if (after !== before) throw new RuleBroken(`A debit ${what} moved money.`);
  const { status } = reply;
  if (status !== undefined && status >= 400 && status < 500) return;
  throw new RuleBroken(`A debit ${what} was not refused with status 401: ${wordsOf(reply)}.`);
}
