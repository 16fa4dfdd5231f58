/** Connections of operators to the sandbox: each has a secret of its own that signs its callbacks. */
import type { ConnectionKind } from '../connection-kind.ts';
import { MOODS } from './payments/mood.ts';

/** 24 to 64 bytes. */
export const sandboxSecretForm = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
export const sandboxSecretMeaning =
  'whsec_ and then base64 of 24 to 64 bytes. `openssl rand -base64 32` prints such base64';

export const sandboxConnections: ConnectionKind = {
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
