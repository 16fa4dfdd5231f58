/**
 * Messages that the server sends without a request (NET-4). A push is a hint: the widget asks for the
 * status before it shows one.
 */
import * as v from 'valibot';
import { currencySchema } from './scalar.ts';
import { transactionSchema } from './transaction.ts';
import { withdrawalTransactionSchema } from './withdrawal.ts';

/** The user's fields that a `login.token` push may change. Other fields are dropped. */
export const loginTokenPushSchema = v.object({
  /** A fresh user token. @example "eyJhbGciOiJIUzI1NiJ9.e30.x" */
  token: v.optional(v.string()),
  /** The operator's id of the user. @example "u-1042" */
  id: v.optional(v.string()),
  currency: v.optional(currencySchema),
  /** The language of the user. @example "en" */
  lang: v.optional(v.string()),
  /** The country of the user. @example "DE" */
  country: v.optional(v.string()),
});

/** Every push: the name of the socket event, its body and its purpose. */
export const pushes = {
  'deposit.status': { summary: "The state of one of the user's deposits has changed.", body: transactionSchema },
  'withdrawal.status': {
    summary: "The state of one of the user's withdrawals has changed.",
    body: withdrawalTransactionSchema,
  },
  'login.token': {
    summary: "New data of the same user; merged into the widget's data.",
    body: loginTokenPushSchema,
  },
} as const;
export type PushName = keyof typeof pushes;
export type PushBody<Name extends PushName> = v.InferOutput<(typeof pushes)[Name]['body']>;
