/** A complete reading of the balances on a chain, which is compared with the ledger (SRV-1). */

export interface ChainReading {
  /** The key of the chain, such as `ethereum`. */
  readonly chain: string;
  /** The newest block when the reading ended. */
  readonly height: number;
  readonly assets: readonly {
    readonly coin: string;
    /** '' for the chain's own coin. */
    readonly contract: string;
    /** Of its smallest unit on this chain. */
    readonly decimals: number;
  }[];
  /** The address that pays out, for all operators. */
  readonly hotWallet?: string | undefined;
  /** The address that all deposits of all operators share. Absent: each deposit has an address of its own. */
  readonly sharedWallet?: string | undefined;
  /** The partner key of the operator who owns the hot wallet. Absent: the only operator. */
  readonly owner?: string | undefined;
}

export type CompareReading = (reading: ChainReading) => Promise<void>;
