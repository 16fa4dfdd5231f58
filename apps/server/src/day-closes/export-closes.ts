/** Exports closed days, so that others can verify them without the cashier. */
import type { Queryable } from '../database/database.ts';
import { closedDays } from './close-page.ts';
import { listSigningKeys } from './signing-keys.ts';
import { EXPORT_FORMAT, type ExportHead, type ExportTail } from './verify-closes.ts';

/** Lines of JSON: the head with the public keys, a line for each closed day, and the number of days. */
export async function* exportCloses(
  queryable: Queryable,
  { operatorId, partnerKey }: { readonly operatorId: string; readonly partnerKey: string },
): AsyncGenerator<string> {
  const keys = await listSigningKeys(queryable, operatorId);
  const head: ExportHead = {
    format: EXPORT_FORMAT,
    operator: partnerKey,
    keys: keys.map(({ keyId, publicKey }) => ({ keyId, publicKey })),
  };
  yield JSON.stringify(head);
  let days = 0;
  for await (const { document, signature, keyId } of closedDays(queryable, operatorId)) {
    days += 1;
    yield JSON.stringify({ document, signature, keyId });
  }
  const tail: ExportTail = { days };
  yield JSON.stringify(tail);
}
