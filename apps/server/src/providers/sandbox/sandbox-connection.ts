/** Connections of operators to the sandbox: each has a secret of its own that signs its callbacks. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../../database/database.ts';
import type { ConnectionKind } from '../connection-kind.ts';
import { listMovements } from './list-movements.ts';
import { MOODS } from './payments/mood.ts';

/** 24 to 64 bytes. */
export const sandboxSecretForm = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
export const sandboxSecretMeaning =
  'whsec_ and then base64 of 24 to 64 bytes. `openssl rand -base64 32` prints such base64';

const account: ConnectionKind = {
  secrets: { callbackSecret: { form: sandboxSecretForm, meaning: sandboxSecretMeaning, isNeeded: 'to-create' } },
  options: {
    merchantName: { form: /^[^\p{Cc}]{1,100}$/u, meaning: 'a name of 1 to 100 characters' },
    mood: { form: new RegExp(`^(${MOODS.join('|')})$`), meaning: `one of: ${MOODS.join(', ')}` },
  },
  paysOut: true,
  refunds: true,
  hasOwnTime: false,
  modeOf: () => 'test',
  test: async () => ({ result: 'accepted', message: 'The sandbox accepts every secret.' }),
};

/** @param database where the company keeps its books */
export function sandboxConnections(database: Queryable, clock: Pick<Clock, 'now'>): ConnectionKind {
  return { ...account, list: (opened, asked) => listMovements(database, clock, opened, asked), listsPayouts: true };
}
