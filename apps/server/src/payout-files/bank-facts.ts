/** What a message of a bank says about transfers, before it is compared with ours. */

export interface BankFact {
  /** - `status`: pain.002. `booked`: a debit of a statement. `returned`: a credit that brings a transfer back. */
  readonly kind: 'status' | 'booked' | 'returned';
  /** The line of the message. */
  readonly line: number;
  /** The transfer; absent: the fact is about a whole file. */
  readonly withdrawalId?: string | undefined;
  /** The file that the message names. */
  readonly fileId?: string | undefined;
  /** The status of the transfer itself. */
  readonly status?: string | undefined;
  /** The status of the file or of its payment information. */
  readonly ofAll?: string | undefined;
  /** The code of its own reason. */
  readonly reason?: string | undefined;
  /** The code of the reason of `ofAll`, beside the status of a transfer. */
  readonly reasonOfAll?: string | undefined;
  /** Minor units. Absent: the statement books several transfers in `entry` and says no amount of its own. */
  readonly amount?: bigint | undefined;
  readonly currency?: string | undefined;
  /** The entry of the statement that books several transfers: one object for all facts of an entry. */
  readonly entry?: BookedEntry | undefined;
}

export interface BookedEntry {
  /** Minor units. */
  readonly amount: bigint;
}

export type MessageKind = 'pain.002' | 'camt.053' | 'camt.054';

export interface BankMessage {
  readonly kind: MessageKind;
  readonly facts: readonly BankFact[];
}
