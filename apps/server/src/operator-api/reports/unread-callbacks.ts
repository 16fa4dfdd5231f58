/** Callbacks of providers that could not be read, for the command line (SRV-4). Their operator is not known, since nobody could read them. */
import type { Queryable } from '../../database/database.ts';

interface UnreadCallback {
  readonly provider: string;
  readonly messageId: string;
  /** `dead`: it is no longer tried. `new`: it is tried again. */
  readonly status: 'dead' | 'new';
  readonly tries: number;
  /** The name of the error, without its message, which may repeat data of the provider. */
  readonly lastError: string | null;
  readonly since: Date;
}

/** The longest waiting first. @param limit the most rows of each kind */
export function unreadCallbacks(queryable: Queryable, limit: number): Promise<UnreadCallback[]> {
  const columns = `source as provider, message_id as "messageId", status, tries, last_error as "lastError",
    time_of_id(inbox_id) as since`;
  return queryable.query({
    text: `(select ${columns} from inbox_queue where status = 'dead' order by source, inbox_id limit $1)
      union all
      (select ${columns} from inbox_queue where status = 'new' and tries > 0 order by source, next_at limit $1)
      order by since`,
    values: [limit],
  });
}
