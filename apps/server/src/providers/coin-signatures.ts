/** Payouts of coins that people sign with a hardware wallet or an air-gapped machine, instead of a signer on the network (WD-2). */

export interface UnsignedCoinPayout {
  readonly withdrawalId: string;
  readonly version: number;
  readonly chain: string;
  readonly wallet: string;
  readonly coin: string;
  readonly contract?: string;
  readonly address: string;
  /** The comment by which an exchange knows its customer. */
  readonly memo?: string;
  /** A decimal amount. */
  readonly amount: string;
  readonly mostFeeUnits: string;
  readonly format: string;
  readonly unsigned: string;
  /** Who has taken it, this time included. None of them can give it. */
  readonly takenBy: string[];
}

export interface SignedCoinPayout {
  readonly withdrawalId: string;
  readonly version: number;
  /** False: it was signed before. */
  readonly isNew: boolean;
}

/** Who acts for which operator. */
export interface SigningActor {
  readonly operatorId: string;
  readonly by: string;
  /** Absent: the command line. */
  readonly keyId?: string | undefined;
}

export interface CoinSignatures {
  /**
   * The operator's payouts that wait for a signature by file, the oldest first.
   * @param chain absent: of all chains
   */
  take(actor: SigningActor, chain?: string): Promise<readonly UnsignedCoinPayout[]>;
  /**
   * Stores signed transactions, all or none. The next round sends them.
   * @param transactions in the form in which they were taken
   * @param needsOtherKey whether an API key that never took them must give them
   * @throws DomainError state-conflict that names the transaction by its place, from 1
   */
  give(
    actor: SigningActor,
    transactions: readonly string[],
    needsOtherKey: boolean,
  ): Promise<readonly SignedCoinPayout[]>;
}
