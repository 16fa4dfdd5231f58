/** What stands in the way of taking a settlement file back. Nothing is undone that cannot be undone exactly. */
import { keepArchiveAway } from '../database/archive-partition.ts';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';

export interface FileToTakeBack {
  readonly fileId: string;
  readonly provider: string;
  readonly source: 'provider' | 'bank' | 'chain';
  readonly state: 'reading' | 'matching' | 'done' | 'taken-back';
}

/**
 * The books must be locked, so that no booking, close or comparison comes in between.
 * @throws DomainError state-conflict with the obstacle; temporarily-unavailable while months leave for an archive
 */
export async function refuseObstacles(
  transaction: Transaction,
  operatorId: string,
  file: FileToTakeBack,
): Promise<void> {
  if (file.source === 'chain') throw new DomainError('state-conflict', 'A reading of a chain cannot be taken back.');
  if (file.state !== 'done') {
    const why = file.state === 'taken-back' ? 'was taken back before' : 'is not compared. Import it again first';
    throw new DomainError('state-conflict', `This file ${why}.`, { params: { state: file.state } });
  }
  await refuseArchived(transaction, operatorId, file);
  await refuseBooked(transaction, operatorId, file);
  await refuseClosed(transaction, operatorId, file);
  await refuseLater(transaction, operatorId, file);
}

/** An archived month keeps what its lines settled. So does the month of an earlier line whose entry this file found. */
async function refuseArchived(transaction: Transaction, operatorId: string, { fileId }: FileToTakeBack): Promise<void> {
  if (!(await keepArchiveAway(transaction))) {
    throw new DomainError('temporarily-unavailable', 'Months leave for an archive. Take the file back afterwards.');
  }
  const [archived] = await transaction.query({
    text: `select 1 from archived_line_sum where operator_id = $1 and file_id = $2
      union all select 1 from settlement_mismatch mismatch where mismatch.operator_id = $1 and mismatch.cleared_by = $2
        and mismatch.file_id <> $2 and mismatch.line_id is not null and not exists (select 1 from settlement_line line
          where line.operator_id = $1 and line.id = mismatch.line_id)
      limit 1`,
    values: [operatorId, fileId],
  });
  if (archived === undefined) return;
  throw new DomainError('state-conflict', 'Lines of this file, or lines that it settled, have left for an archive.');
}

async function refuseBooked(transaction: Transaction, operatorId: string, { fileId }: FileToTakeBack): Promise<void> {
  const [booking] = await transaction.query<{ id: string; kind: string }>({
    text: `select id, kind from settlement_booking where operator_id = $1 and file_id = $2 and state = 'approved' and amount <> 0
      order by decided_at limit 1`,
    values: [operatorId, fileId],
  });
  if (booking === undefined) return;
  const message = `Two people have booked ${booking.kind} of this file: booking ${booking.id}. Its journal stands, so the file stays.`;
  throw new DomainError('state-conflict', message, { params: { bookingId: booking.id } });
}

async function refuseClosed(transaction: Transaction, operatorId: string, { fileId }: FileToTakeBack): Promise<void> {
  const [close] = await transaction.query<{ id: string; day: string; state: string }>({
    text: `select id, day::text as day, state from day_close where operator_id = $1 and state <> 'rejected'
        and as_of >= (select done_at from settlement_file where operator_id = $1 and id = $2)
      order by state, day limit 1`,
    values: [operatorId, fileId],
  });
  if (close === undefined) return;
  const message =
    close.state === 'closed'
      ? `The signed close of ${close.day} counts this file, so the file stays.`
      : `The proposed close of ${close.day} counts this file. Reject this close first.`;
  throw new DomainError('state-conflict', message, { params: { closeId: close.id, day: close.day } });
}

/**
 * Other files that saw what this one settled: of the same provider or account, because they settle the same entries. A statement also sees
 * the sums that a file of a provider named, and what other statements settled of them. What was compared before this file began saw nothing.
 */
async function refuseLater(
  transaction: Transaction,
  operatorId: string,
  { fileId, provider, source }: FileToTakeBack,
): Promise<void> {
  const [other] = await transaction.query<{ id: string; name: string; state: string; isBeside: boolean }>({
    text: `select other.id, other.name, other.state, other.at <= file.done_at as "isBeside"
      from settlement_file file join settlement_file other on other.operator_id = $1 and other.id <> $2 and other.source <> 'chain'
        and (other.state = 'matching' or other.state = 'done' and other.done_at >= file.at)
        and (other.provider = $3 or other.source = 'bank' and ($4 = 'bank'
          or exists (select 1 from settlement_batch batch where batch.operator_id = $1 and batch.file_id = $2)
          or exists (select 1 from settlement_batch_before before where before.operator_id = $1 and before.file_id = $2)))
      where file.operator_id = $1 and file.id = $2
      order by other.state = 'matching' desc, other.done_at desc, other.id limit 1`,
    values: [operatorId, fileId, provider, source],
  });
  if (other === undefined) return;
  const named = `${other.name} (${other.id})`;
  const message =
    other.state === 'matching'
      ? `The comparison of ${named} goes on, or was interrupted. Import that file again first.`
      : other.isBeside
        ? `${named} was imported at the same time, so nobody can undo one of them exactly.`
        : `${named} was compared later. Take it back first.`;
  throw new DomainError('state-conflict', message, { params: { fileId: other.id } });
}
