import { depositCreate } from '@opencashier/contract/api';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { Caller } from '../../operators/caller.ts';
import { answer } from '../handler/call.ts';

/** Creates a deposit, once per `depositId` (DEP-1, SRV-6). */
export const depositCreateHandler = answer(
  depositCreate,
  async (request, { caller, context, signal }, { database, payments, bounce }) => {
    await noteSession(database, caller, request.paymentSessionId, request.depositId);
    const { language } = context;
    const response = await payments.createDeposit({ caller, request, language, signal });
    return bounce.wrap({ operatorId: caller.operatorId, language }, response);
  },
);

/** Notes for staff which deposit a payment session led to (AMT-7). Ignores an id that is no session of this user. */
export async function noteSession(
  database: Database,
  caller: Caller,
  sessionId: string | undefined,
  publicId: string,
): Promise<void> {
  if (sessionId === undefined || !isUuid(sessionId)) return;
  await database.query({
    name: 'payment-session-note',
    text: `update payment_session set client_key = $4
      where operator_id = $2 and id = $1 and user_id = $3 and client_key is null`,
    values: [sessionId, caller.operatorId, caller.userId, publicId],
  });
}
