/** Handlers of the signed closes of days (SRV-1, SRV-2). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { decideClose, proposeClose } from '../../day-closes/close-day.ts';
import { closePage, readClose } from '../../day-closes/close-page.ts';
import { listSigningKeys } from '../../day-closes/signing-keys.ts';
import type { DataKeys } from '../../sealing/data-keys.ts';
import type { Handlers } from '../register-endpoint.ts';

type DayCloseHandlers = Handlers<typeof operatorEndpoints.dayCloses>;

export function dayCloseHandlers(database: Database, dataKeys: DataKeys): DayCloseHandlers {
  return {
    proposeDayClose: ({ operatorId, keyId, body }) => proposeClose(database, operatorId, body, keyId),
    decideDayClose: ({ operatorId, keyId, params: { closeId }, body }) =>
      decideClose({ database, dataKeys }, operatorId, closeId, body, keyId),
    readDayClose: ({ operatorId, params: { closeId } }) => readClose(database, operatorId, closeId),
    listDayCloses: ({ operatorId, query }) => closePage(database, operatorId, query),
    async listDayCloseKeys({ operatorId }) {
      return { keys: await listSigningKeys(database, operatorId) };
    },
  };
}
