/** Test vectors of questions to an operator's own bonus engine, which the SDKs of all languages share. */
import { secretOf, signedAt, signedHeaders } from './signed-vectors.ts';

interface BonusVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** What the function answers. `throws`: the engine does not know. */
  readonly bonuses: readonly object[] | 'throws';
  /** The question that must reach the function. Absent: none. */
  readonly reaches?: object;
  /** The status and the body as JSON. `unknown`: the error of the function comes out. `bad-secret`: the receiver is set up wrongly. */
  readonly expect: { readonly status: number; readonly body: object } | 'unknown' | 'bad-secret';
}

const [current, previous] = [secretOf(4), secretOf(5)];
const id = '00000000-0000-4000-8000-000000000001';
const question = { type: 'bonuses', id, userId: 'u-1042', currency: 'EUR' };
const money = {
  id: 'vip-7',
  type: 'deposit',
  currency: 'EUR',
  title: { en: 'For you', el: 'Για εσάς' },
  depositBonusData: {
    minDeposit: '10.00',
    maxBonusAmount: '123456789012345678.01',
    percent: 12.5,
    payoutMultiplier: 3,
    wagerMultiplier: 30,
  },
  endsAt: '2027-01-01T00:00:00Z',
};
const spins = {
  id: 'spins',
  type: 'freespin',
  currency: 'EUR',
  title: { en: 'Free spins / "20"' },
  freespinBonusData: {
    count: 20,
    minDeposit: '0',
    maxSpinWin: '5',
    payoutMultiplier: 1,
    wagerMultiplier: 0,
    gamesContent: [{ nameEn: 'Sand Dunes' }],
  },
  depositRequired: false,
};

function signed(
  name: string,
  call: object | string,
  change: Partial<BonusVector> & Pick<BonusVector, 'expect'>,
  { secret = current, signedId = id }: { readonly secret?: string; readonly signedId?: string } = {},
): BonusVector {
  const body = typeof call === 'string' ? call : JSON.stringify(call);
  const headers = signedHeaders(secret, signedId, body);
  return { name, secrets: [current], headers, body, now: signedAt + 1, bonuses: [money], ...change };
}

const refused = (status: number, code: string): Pick<BonusVector, 'expect'> => ({
  expect: { status, body: { code } },
});
const answered = (
  bonuses: readonly object[],
  reaches: object = question,
): Pick<BonusVector, 'bonuses' | 'reaches' | 'expect'> => ({
  bonuses,
  reaches,
  expect: { status: 200, body: { bonuses, id, userId: 'u-1042' } },
});

export function bonusVectors(): string {
  const { currency: _currency, ...everyCurrency } = question;
  const { type: _type, ...untyped } = question;
  const vectors = [
    signed('answered: one bonus', question, answered([money])),
    signed('answered: no bonus', question, answered([])),
    signed('answered: two bonuses in their order', question, answered([spins, money])),
    signed('answered: in every currency', everyCurrency, answered([money], everyCurrency)),
    signed('answered: a field of a later version', { ...question, later: { a: 1 } }, answered([money])),
    signed(
      'rotated: the engine knows both secrets',
      question,
      { secrets: [current, previous], ...answered([money]) },
      { secret: previous },
    ),
    signed('unknown: the engine throws', question, { bonuses: 'throws', reaches: question, expect: 'unknown' }),
    signed('forged: another secret', question, refused(401, 'bad-signature'), { secret: previous }),
    {
      ...signed('tampered: another user', question, refused(401, 'bad-signature')),
      body: JSON.stringify({ ...question, userId: 'u-1043' }),
    },
    { ...signed('late: a second more than is allowed', question, refused(401, 'too-old')), now: signedAt + 301 },
    { ...signed('early: a second more than is allowed', question, refused(401, 'too-new')), now: signedAt - 301 },
    { ...signed('incomplete: no headers', question, refused(401, 'missing-header')), headers: {} },
    signed('signed, but the id is another', question, refused(400, 'bad-body'), { signedId: 'another' }),
    ...['{"type":', '[]', 'null', '"text"', '{}'].map((wrong) =>
      signed(`signed, but no question: ${wrong}`, wrong, refused(400, 'bad-body')),
    ),
    signed('a call to a wallet', { ...question, type: 'debit' }, refused(400, 'unknown-type')),
    signed('no type', untyped, refused(400, 'unknown-type')),
    signed('no secret at all', question, { secrets: [], expect: 'bad-secret' }),
    signed('a secret that is none', question, { secrets: ['sk_live'], expect: 'bad-secret' }),
  ];
  return `${JSON.stringify(vectors, null, 2)}\n`;
}
