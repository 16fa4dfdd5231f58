/** Handlers of settlement files, statements and mismatches (SRV-1, SRV-2). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { byApi } from '../../operators/setting-history.ts';
import { bookingPage, decideBooking, resolveOnce } from '../../settlements/bookings.ts';
import { filePage } from '../../settlements/file-page.ts';
import { importFile } from '../../settlements/import-file.ts';
import { listMappings, putMapping } from '../../settlements/mappings.ts';
import { mismatchPage } from '../../settlements/mismatch-page.ts';
import { playerFunds } from '../../settlements/player-funds.ts';
import { decideTakeBack, proposeTakeBack } from '../../settlements/take-back.ts';
import type { Handlers } from '../register-endpoint.ts';

type SettlementHandlers = Handlers<typeof operatorEndpoints.settlements>;

export function settlementHandlers(database: Database): SettlementHandlers {
  return {
    async listSettlementMappings({ operatorId }) {
      return { mappings: await listMappings(database, operatorId) };
    },
    putSettlementMapping: ({ operatorId, keyId, params, body: { mapping, staff: by = byApi } }) =>
      putMapping(database, operatorId, { by, keyId }, { ...params, mapping }),
    importSettlementFile({ operatorId, keyId, body: { content, staff: by = byApi, dryRun, ...file } }) {
      const bytes = Buffer.from(content, 'base64');
      const open = async function* () {
        yield bytes;
      };
      return importFile(database, { operatorId, keyId, by, open, isDryRun: dryRun, ...file });
    },
    listSettlementFiles: ({ operatorId, query }) => filePage(database, operatorId, query),
    proposeTakeBack: ({ operatorId, keyId, params: { fileId }, body }) =>
      proposeTakeBack(database, operatorId, fileId, body, keyId),
    decideTakeBack: ({ operatorId, keyId, params: { takeBackId }, body }) =>
      decideTakeBack(database, operatorId, takeBackId, body, keyId),
    resolveMismatch: ({ operatorId, keyId, params: { mismatchId }, body }) =>
      resolveOnce(database, operatorId, mismatchId, body, keyId),
    listSettlementBookings: ({ operatorId, query }) => bookingPage(database, operatorId, query),
    decideSettlementBooking: ({ operatorId, keyId, params: { bookingId }, body }) =>
      decideBooking(database, operatorId, bookingId, body, keyId),
    readPlayerFunds: ({ operatorId, query: { at } }) => playerFunds(database, operatorId, at),
    listMismatches: ({ operatorId, query }) => mismatchPage(database, operatorId, query),
  };
}
