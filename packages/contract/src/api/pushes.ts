/** What the server says without being asked (NET-4). A push is a hint: the widget asks for the status before it believes it. */
import * as v from 'valibot';
import { currencySchema } from './scalar.ts';
import { transactionSchema } from './transaction.ts';
import { withdrawalTransactionSchema } from './withdrawal.ts';

/** Fields of the user that a `login.token` push may change; anything else in it is dropped. */
export const loginTokenPushSchema = v.object({
  token: v.optional(v.string()),
  id: v.optional(v.string()),
  currency: v.optional(currencySchema),
  lang: v.optional(v.string()),
  country: v.optional(v.string()),
});

/** Every push: the socket event's name, what it carries, and what it is for. */
export const pushes = {
  'deposit.status': { summary: 'A deposit of this user has moved.', body: transactionSchema },
  'withdrawal.status': { summary: 'A withdrawal of this user has moved.', body: withdrawalTransactionSchema },
  'login.token': {
    summary: 'Fresh data of the same user; merged into what the widget holds.',
    body: loginTokenPushSchema,
  },
} as const;
export type PushName = keyof typeof pushes;
export type PushBody<Name extends PushName> = v.InferOutput<(typeof pushes)[Name]['body']>;
