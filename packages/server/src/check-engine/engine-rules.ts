/** The rules of the contract for a bonus engine, each proven by questions. */
import { randomUUID } from 'node:crypto';
import { RuleBroken, type RuleOf } from '../check/rules.ts';
import { type Otherwise, remedyOf, secretOfAStranger } from '../check/signed-post.ts';
import { mostBonusesOfUser } from '../generated/bonus-rules.ts';
import { type createEngineAsker, type EngineReply, questionOf, type SentQuestion } from './ask-engine.ts';

export interface EngineBench {
  readonly ask: ReturnType<typeof createEngineAsker>;
  /** At least one. */
  readonly userIds: readonly [string, ...string[]];
  /** At least one. */
  readonly currencies: readonly [string, ...string[]];
  readonly secrets: readonly string[];
  /** How many bonuses each user saw, filled by the rules. `currency` undefined: in every currency. */
  readonly seen: Seen[];
}

export interface Seen {
  readonly userId: string;
  readonly currency: string | undefined;
  readonly bonuses: number;
}

export type EngineRule = RuleOf<EngineBench>;

const verifyRemedy =
  'Verify the signature over the raw bytes before you read anything, and answer 401 if it is wrong. handleBonusCall of @opencashier/server does so.';
const bonusRemedy = 'Correct the field. The cashier leaves a wrong bonus out, so the user does not see it.';

export const engineRules: readonly EngineRule[] = [
  {
    name: 'answer',
    says: 'A signed question is answered with HTTP 200 and a JSON object of at most 64 KiB that has the list "bonuses"',
    remedy: 'Answer HTTP 200 with {"bonuses":[…]}.',
    needs: [],
    prove: async ({ ask, userIds: [userId], currencies: [currency] }) => {
      const reply = await ask(questionOf(userId, currency));
      if (reply.meaning.kind === 'bonuses') return;
      const { remedy } = reply.meaning;
      throw new RuleBroken(
        `A question was not answered: ${wordsOf(reply)}.`,
        remedyOf(reply.status, 'engine') ?? remedy,
      );
    },
  },
  {
    name: 'unsigned',
    says: 'A question without a signature is refused',
    remedy: verifyRemedy,
    needs: ['answer'],
    prove: (bench) => refuses(bench, 'without a signature', { secrets: [] }),
  },
  {
    name: 'wrong-signature',
    says: 'A question signed with another secret, or changed after it was signed, is refused',
    remedy: verifyRemedy,
    needs: ['answer'],
    prove: async (bench) => {
      await refuses(bench, 'signed with another secret', { secrets: [secretOfAStranger] });
      await refuses(bench, 'whose body was changed after it was signed', { change: (body) => `${body} ` });
    },
  },
  {
    name: 'old-question',
    says: 'A question whose time differs by more than five minutes is refused',
    remedy:
      'Refuse a webhook-timestamp that differs from your clock by more than five minutes. Otherwise a stranger can replay a recorded question.',
    needs: ['answer'],
    prove: async (bench) => {
      await refuses(bench, 'that was signed ten minutes ago', { secondsAgo: 600 });
      await refuses(bench, 'that is ten minutes ahead', { secondsAgo: -600 });
    },
  },
  {
    name: 'secret-rotation',
    says: 'While a secret is changed, a question with two signatures is accepted',
    remedy:
      'webhook-signature has one or more signatures with spaces between them. Compare each with each of your secrets, and accept the question if one fits.',
    needs: ['answer'],
    prove: async (bench) => {
      const { userIds, currencies, secrets } = bench;
      for (const secret of secrets) {
        const signers = [[secret], [secret, secretOfAStranger], [secretOfAStranger, secret]];
        for (const signing of signers)
          await answered(bench, questionOf(userIds[0], currencies[0]), { secrets: signing });
      }
    },
  },
  {
    name: 'right-bonuses',
    says: 'Every bonus that a test user sees keeps the rules of the cashier, in every currency asked for',
    remedy: bonusRemedy,
    needs: ['answer'],
    prove: async (bench) => {
      for (const userId of bench.userIds) {
        for (const currency of bench.currencies) await seeRight(bench, userId, currency);
      }
    },
  },
  {
    name: 'every-currency',
    says: 'A question without a currency is answered, with bonuses in any currency',
    remedy: 'The field currency of a question is optional. Answer the bonuses in every currency if it is absent.',
    needs: ['answer'],
    prove: async (bench) => {
      for (const userId of bench.userIds) await seeRight(bench, userId, undefined);
    },
  },
  {
    name: 'bonuses-seen',
    says: 'At least one test user sees a bonus, so that the rules of a bonus are proven',
    remedy: 'Name a user who sees bonuses with --test-user, and their currency with --currency.',
    needs: ['answer'],
    prove: async ({ seen, userIds }) => {
      if (seen.some(({ bonuses }) => bonuses > 0)) return;
      throw new RuleBroken(`No bonus was seen for ${userIds.join(', ')}.`);
    },
  },
  {
    name: 'unknown-user',
    says: 'A user whom your engine does not know gets an answer, such as {"bonuses":[]}',
    remedy:
      'Answer HTTP 200 with {"bonuses":[]}. Any other status counts as a failure, and after four of them the cashier pauses.',
    needs: ['answer'],
    prove: async (bench) => {
      await answered(bench, questionOf(`nobody-${randomUUID()}`, bench.currencies[0]));
    },
  },
  {
    name: 'repeat',
    says: 'The same question a second time, and a new one for the same user, get the same bonuses',
    remedy: 'A question changes nothing: keep no list of ids, and count no bonus as used before its deposit.',
    needs: ['answer'],
    prove: async (bench) => {
      const { userIds, currencies } = bench;
      for (const userId of userIds) {
        const question = questionOf(userId, currencies[0]);
        const first = await answered(bench, question);
        expectSame(first, await answered(bench, question), userId, 'the same question');
        expectSame(first, await answered(bench, questionOf(userId, currencies[0])), userId, 'a new question');
      }
    },
  },
  {
    name: 'unknown-type',
    says: 'A question of a type that your engine does not know is refused',
    remedy: 'Answer 400 to a type that you do not know. A later version of the cashier may have other questions.',
    needs: ['answer'],
    prove: async ({ ask, userIds, currencies }) => {
      const reply = await ask({ ...questionOf(userIds[0], currencies[0]), type: 'of-a-later-version' });
      if (isRefusal(reply)) return;
      throw new RuleBroken(`A question of an unknown type was not refused with status 400: ${wordsOf(reply)}.`);
    },
  },
];

/** Asks, and requires that each bonus is right. */
async function seeRight(bench: EngineBench, userId: string, currency: string | undefined): Promise<void> {
  const given = await answered(bench, questionOf(userId, currency));
  bench.seen.push({ userId, currency, bonuses: given.bonuses.length });
  const whose = `The answer for ${userId} ${currency === undefined ? 'in every currency' : `in ${currency}`}`;
  if (given.bonuses.length > mostBonusesOfUser) {
    const remedy = `Answer at most ${mostBonusesOfUser}, the best ones first. Further ones are left out.`;
    throw new RuleBroken(`${whose} has ${given.bonuses.length} bonuses.`, remedy);
  }
  const [fault, ...more] = given.faults;
  if (fault === undefined) return;
  const others = more.length === 0 ? '' : ` ${more.length} more are wrong: ${more.map(({ path }) => path).join(', ')}.`;
  throw new RuleBroken(`${whose} has a wrong ${fault.path}: ${fault.message}${others}`);
}

async function answered(
  { ask }: EngineBench,
  question: SentQuestion,
  otherwise?: Otherwise,
): Promise<{ readonly bonuses: readonly unknown[]; readonly faults: readonly { path: string; message: string }[] }> {
  const reply = await ask(question, otherwise);
  const { meaning } = reply;
  if (meaning.kind === 'bonuses') return { bonuses: meaning.given, faults: meaning.faults };
  // A status is the fault of the rule; what cannot be read has a remedy of its own.
  throw new RuleBroken(
    `A question for ${question.userId} was not answered: ${wordsOf(reply)}.`,
    reply.status === 200 ? meaning.remedy : undefined,
  );
}

function expectSame(
  first: { readonly bonuses: readonly unknown[] },
  again: { readonly bonuses: readonly unknown[] },
  userId: string,
  what: string,
): void {
  if (JSON.stringify(first.bonuses) === JSON.stringify(again.bonuses)) return;
  throw new RuleBroken(
    `${userId} saw ${first.bonuses.length} bonuses, and ${what} brought ${again.bonuses.length}, or others.`,
  );
}

const isRefusal = ({ status }: EngineReply): boolean => status !== undefined && status >= 400 && status < 500;

async function refuses({ ask, userIds, currencies }: EngineBench, what: string, otherwise: Otherwise): Promise<void> {
  const reply = await ask(questionOf(userIds[0], currencies[0]), otherwise);
  if (isRefusal(reply)) return;
  throw new RuleBroken(`A question ${what} was not refused with status 401: ${wordsOf(reply)}.`);
}

/** An answer in words, for a cause. */
function wordsOf({ meaning, status, body }: EngineReply): string {
  if (meaning.kind === 'bonuses') return 'it was answered';
  return `${meaning.why}${status === undefined || body === '' ? '' : ` (${body})`}`;
}
