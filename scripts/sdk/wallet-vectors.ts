/** Test vectors of calls to an operator's own wallet, which the SDKs of all languages share. */
import { signedAt as now, secretOf, signedHeaders } from './signed-vectors.ts';

interface WalletVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** What each function of the wallet answers. `throws`: its outcome is unknown. */
  readonly wallet: Readonly<Record<string, unknown>> | 'throws';
  /** The function that the call must reach. Absent: none. */
  readonly reaches?: string;
  /**
   * The status and the body as JSON. `unknown`: the error of the wallet comes out. `bad-balance`: the wallet answers no decimal text.
   * `bad-secret`: the receiver is set up wrongly.
   */
  readonly expect: { readonly status: number; readonly body: object } | 'unknown' | 'bad-balance' | 'bad-secret';
}

const [current, previous] = [secretOf(4), secretOf(5)];
const id = '00000000-0000-4000-8000-000000000001';
const withdrawalId = '00000000-0000-4000-8000-000000000002';
const shared = { id, userId: 'u-1042', currency: 'EUR' };
const move = { ...shared, amount: '20.00' };
const calls = {
  balance: { type: 'balance', ...shared },
  debit: { type: 'debit', ...move, withdrawalId, reason: 'withdrawal' },
  credit: { type: 'credit', ...move, depositId: withdrawalId, reason: 'deposit' },
  release: { type: 'release', ...move, withdrawalId, reason: 'withdrawal', debitId: withdrawalId },
};
const echo = (call: object): object => ('amount' in call ? move : shared);

function signed(
  name: string,
  call: object | string,
  change: Partial<WalletVector> & Pick<WalletVector, 'expect'>,
  { secret = current, signedId = id }: { readonly secret?: string; readonly signedId?: string } = {},
): WalletVector {
  const body = typeof call === 'string' ? call : JSON.stringify(call);
  return {
    name,
    secrets: [current],
    headers: signedHeaders(secret, signedId, body),
    body,
    now: now + 1,
    wallet: { balance: '25.00' },
    ...change,
  };
}

const refused = (status: number, code: string): Pick<WalletVector, 'expect'> => ({
  expect: { status, body: { code } },
});
const done = (call: object, more: object = {}) => ({
  status: 200,
  body: { result: 'done', balance: '25.00', ...more, ...echo(call) },
});

export function walletVectors(): string {
  const { debit, balance, credit } = calls;
  const vectors = [
    ...Object.entries(calls).map(([type, call]) =>
      signed(`done: ${type}`, call, { reaches: type, expect: done(call) }),
    ),
    signed('done: with an id of the wallet', credit, {
      wallet: { balance: '25.00', transactionId: 't-1' },
      reaches: 'credit',
      expect: done(credit, { transactionId: 't-1' }),
    }),
    signed(
      'done: a forced debit, and a balance below zero',
      { ...debit, reason: 'chargeback', forced: true },
      {
        wallet: { balance: '-3.00' },
        reaches: 'debit',
        expect: done(debit, { balance: '0' }),
      },
    ),
    signed(
      'done: a field of a later version',
      { ...balance, later: { a: 1 } },
      { reaches: 'balance', expect: done(balance) },
    ),
    ...['0', '0.00000001', '123456789012345678901234567890.12'].map((amount) =>
      signed(`done: the balance ${amount}`, balance, {
        wallet: { balance: amount },
        reaches: 'balance',
        expect: done(balance, { balance: amount }),
      }),
    ),
    signed(
      'rotated: the wallet knows both secrets',
      balance,
      { secrets: [current, previous], reaches: 'balance', expect: done(balance) },
      { secret: previous },
    ),
    signed('declined: for certain', debit, {
      wallet: { declined: 'insufficient-funds', balance: '5.00' },
      reaches: 'debit',
      expect: { status: 200, body: { result: 'declined', code: 'insufficient-funds', balance: '5.00', ...move } },
    }),
    signed('declined: with a text for the user, beyond ASCII', debit, {
      wallet: { declined: 'blocked', message: 'Zürich – gesperrt' },
      reaches: 'debit',
      expect: { status: 200, body: { result: 'declined', code: 'blocked', message: 'Zürich – gesperrt', ...move } },
    }),
    signed('unknown: the wallet throws', debit, { wallet: 'throws', reaches: 'debit', expect: 'unknown' }),
    ...['1e3', '--3.00', '', '5,00', ' 5.00', '5.', '.5', '05.00'].map((wrong) =>
      signed(`no balance: "${wrong}"`, balance, {
        wallet: { balance: wrong },
        reaches: 'balance',
        expect: 'bad-balance',
      }),
    ),
    signed('forged: another secret', debit, refused(401, 'bad-signature'), { secret: previous }),
    {
      ...signed('tampered: another amount', debit, refused(401, 'bad-signature')),
      body: JSON.stringify({ ...debit, amount: '2.00' }),
    },
    { ...signed('late: a second more than is allowed', debit, refused(401, 'too-old')), now: now + 301 },
    { ...signed('early: a second more than is allowed', debit, refused(401, 'too-new')), now: now - 301 },
    { ...signed('incomplete: no headers', debit, refused(401, 'missing-header')), headers: {} },
    signed('signed, but the id is another', debit, refused(400, 'bad-body'), { signedId: withdrawalId }),
    ...['{"type":', '[]', 'null', '"text"', '{}'].map((wrong) =>
      signed(`signed, but no call: ${wrong}`, wrong, refused(400, 'bad-body')),
    ),
    signed('a type of a later version', { ...debit, type: 'bonus' }, refused(400, 'unknown-type')),
    signed('no type', shared, refused(400, 'unknown-type')),
    signed('no secret at all', balance, { secrets: [], expect: 'bad-secret' }),
    signed('a secret that is none', balance, { secrets: ['sk_live'], expect: 'bad-secret' }),
  ];
  return `${JSON.stringify(vectors, null, 2)}\n`;
}
