/** The tables whose old months leave the database, and the rules of each (docs/adr/0022, docs/adr/0025). */
import type { Queryable, Transaction } from '../database/database.ts';
import {
  keepLedgerMonth,
  LEAST_LEDGER_MONTHS,
  type LedgerMonth,
  OPEN_IN_MONTH,
  whyLedgerMonthStays,
} from '../ledger/archived-months.ts';
import { keepLinesOfMonth, whyLinesOfMonthStay } from '../ledger/archived-settlements.ts';

/** Tables that leave together. Rows of one partition name rows of the others, and the first table gives the months. */
export interface Group {
  /** One row of the first table, in words. */
  readonly row: string;
  /** In the order in which the application writes to them, and so locks them. */
  readonly tables: readonly Table[];
  /** Counts rows that still wait; $1 and $2 are the times of the partition. Absent: no row waits there. */
  readonly waiting?: string;
  readonly fault: string;
  /** No month below this age leaves, whatever the options say. */
  readonly leastMonths?: number;
  /** Another reason why a month must stay. The last parameter: earlier months that are still here would leave before it. */
  readonly why?: (queryable: Queryable, month: LedgerMonth, isAfterOthers: boolean) => Promise<string | undefined>;
  /** Keeps what must stay of a month, before its partitions are detached. */
  readonly keep?: (transaction: Transaction, month: LedgerMonth) => Promise<void>;
  /** The rows of a queue that were set aside and leave with the month; $1 and $2 are its times. */
  readonly setAside?: { readonly from: string; readonly id: string };
}

interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** True for a row that disagrees with what stays; `{table}` stands for the partition of a table. */
  readonly faulty: string;
  /** The rows that are read together; for small rows. */
  readonly page?: number;
}

/** True for the row `event` that stays of a report. */
const OF_ITS_REPORT = `event.provider = stored.body ->> 'provider' and event.event_id = stored.body ->> 'eventId'
          and event.body_id = stored.id and (event.reported, event.paid, event.currency) is not distinct from
            (stored.body ->> 'outcome', (stored.body ->> 'paidMinor')::numeric, stored.body ->> 'currency')`;

export const GROUPS: readonly Group[] = [
  {
    row: 'callback',
    tables: [
      {
        name: 'webhook_inbox',
        key: ['id'],
        faulty: `not exists (select 1 from inbox_key key where key.source = stored.source and key.message_id = stored.message_id
          and key.inbox_id = stored.id and key.body_hash = sha256(stored.raw))`,
      },
    ],
    waiting: `select count(*)::int as n from inbox_queue where status = 'new' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
    fault: 'in disagreement with the hashes of the keys',
    setAside: {
      from: `inbox_queue where status = 'dead' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
      id: 'inbox_id',
    },
  },
  {
    row: 'report',
    tables: [
      {
        name: 'event_body',
        key: ['id'],
        faulty: `not exists (select 1 from deposit_event event where ${OF_ITS_REPORT} and event.txid is not distinct from body #>> '{chain,txid}')
          and not exists (select 1 from withdrawal_event event where ${OF_ITS_REPORT})`,
      },
    ],
    fault: 'in disagreement with what the database keeps',
  },
  {
    row: 'webhook',
    tables: [
      { name: 'webhook_delivery', key: ['operator_id', 'id'], faulty: `stored.status = 'pending'` },
      {
        name: 'webhook_attempt',
        key: ['operator_id', 'delivery_id', 'n'],
        faulty: `not exists (select 1 from {webhook_delivery} delivery
          where delivery.operator_id = stored.operator_id and delivery.id = stored.delivery_id)`,
      },
    ],
    waiting: `select count(*)::int as n from webhook_queue where delivery_id >= time_id_at($1) and delivery_id < time_id_at($2)`,
    fault: 'in no queue, or attempts of no webhook',
  },
  {
    row: 'journal',
    tables: [
      {
        name: 'journal',
        key: ['operator_id', 'id'],
        faulty: `not exists (select 1 from journal_key key where key.operator_id = stored.operator_id and key.ref = stored.ext_ref
          and key.source = stored.ext_source and key.kind = stored.kind and key.journal_id = stored.id)`,
        page: 1000,
      },
      {
        name: 'posting',
        key: ['operator_id', 'journal_id', 'account_id'],
        faulty: `not exists (select 1 from {journal} journal
          where journal.operator_id = stored.operator_id and journal.id = stored.journal_id)`,
        page: 1000,
      },
    ],
    waiting: OPEN_IN_MONTH,
    fault: 'without a key, or postings of no journal',
    leastMonths: LEAST_LEDGER_MONTHS,
    why: whyLedgerMonthStays,
    keep: keepLedgerMonth,
  },
  {
    row: 'settlement line',
    tables: [
      {
        name: 'settlement_line',
        key: ['operator_id', 'id'],
        faulty: `not exists (select 1 from settlement_file file where file.operator_id = stored.operator_id and file.id = stored.file_id
          and file.state in ('done', 'taken-back'))`,
        page: 1000,
      },
      {
        name: 'settlement_match',
        key: ['operator_id', 'line_id'],
        faulty: `not exists (select 1 from {settlement_line} line
          where line.operator_id = stored.operator_id and line.id = stored.line_id and line.amount = stored.amount)`,
        page: 1000,
      },
    ],
    fault: 'of no file that was compared, or with a match of another amount',
    leastMonths: LEAST_LEDGER_MONTHS,
    why: whyLinesOfMonthStay,
    keep: keepLinesOfMonth,
  },
];
