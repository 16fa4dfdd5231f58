/**
 * Scans a chain block by block, for chains whose blocks name the block before them. A scan follows these links. So all blocks of
 * one scan are on one branch, also when the chain forks meanwhile.
 */
import {
  type Block,
  type ChainSource,
  type IncomingPayment,
  NodeError,
  type OurAddresses,
  type Scan,
  type ScanRange,
} from './chain-source.ts';

/** One block, as a node reports it. */
export interface ReportedBlock {
  readonly block: Block;
  /** The hash of the block before. */
  readonly parentHash: string | null | undefined;
  /** Everything that the block brings, to any address. Called only for a block that follows the one before it. */
  payments(): Promise<readonly IncomingPayment[]> | readonly IncomingPayment[];
  /**
   * Drops the payments whose transaction failed. Needed where the block itself does not name the failed transactions. Called with
   * payments to our addresses alone, because each may cost a request.
   */
  withoutFailed?(payments: readonly IncomingPayment[]): Promise<readonly IncomingPayment[]>;
}

/**
 * {@link ChainSource.scan} for one source.
 * @param readBlock throws NodeError when the node does not have the block
 */
export async function scanBlocks(
  ours: OurAddresses,
  { from, to, after }: ScanRange,
  readBlock: (height: number) => Promise<ReportedBlock>,
): Promise<Scan | undefined> {
  const payments: IncomingPayment[] = [];
  let last = after;
  for (let height = from; height <= to; height += 1) {
    const reported = await readBlock(height);
    if (last !== undefined && reported.parentHash !== last.hash) {
      if (height === from) return undefined;
      throw new NodeError('The chain changed during the scan');
    }
    payments.push(...(await paymentsToUs(reported, ours)));
    last = reported.block;
  }
  if (last === undefined) throw new RangeError('The range of the scan is empty');
  return { payments, last };
}

async function paymentsToUs(reported: ReportedBlock, ours: OurAddresses): Promise<IncomingPayment[]> {
  const all = await reported.payments();
  const known = await ours.pick([...new Set(all.map(({ address }) => address))]);
  const toUs = all.filter(({ address }) => known.has(address));
  return sumOutputs((await reported.withoutFailed?.(toUs)) ?? toUs);
}

/** Adds up the outputs of one transaction that go to one address in one asset. */
export function sumOutputs(outputs: readonly IncomingPayment[]): IncomingPayment[] {
  const sums = new Map<string, IncomingPayment>();
  for (const output of outputs) {
    const key = `${output.txid} ${output.address} ${output.contract ?? ''}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? output : { ...known, raw: known.raw + output.raw });
  }
  return [...sums.values()];
}

/**
 * {@link ChainSource.holds} by a scan of the payment's block.
 * @param addressOf the address under which the cashier keeps a scanned payment
 */
export async function holdsByScan(
  source: Pick<ChainSource, 'hashAt' | 'scan'>,
  { block, ...payment }: IncomingPayment & { readonly block: Block },
  addressOf: (scanned: IncomingPayment) => string = ({ address }) => address,
): Promise<boolean> {
  if ((await source.hashAt(block.height)) !== block.hash) return false;
  const ours: OurAddresses = {
    pick: async (addresses) => new Set(addresses.filter((address) => address === payment.address)),
    wallets: async () => [payment.address],
    watched: async () => [],
  };
  const found = await source.scan(ours, { from: block.height, to: block.height });
  return (found?.payments ?? []).some(
    (scanned) =>
      scanned.txid === payment.txid &&
      scanned.raw === payment.raw &&
      scanned.contract === payment.contract &&
      scanned.block?.hash === block.hash &&
      addressOf(scanned) === payment.address,
  );
}
