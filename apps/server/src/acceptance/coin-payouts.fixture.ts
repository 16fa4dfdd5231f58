/** For tests of coin payouts: payments whose crypto provider pays from a hot wallet, and users with coins. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { bookNetworkFee } from '../ledger/network-fees.ts';
import { createBench, createFakeCatalogue } from '../payments/testing/payments.fixture.ts';
import type { CompareReading } from '../providers/chain-reading.ts';
import type { WatcherLog } from '../providers/crypto/chain-watcher.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import type { ChainSettings } from '../providers/crypto/crypto-settings.ts';
import type { PayoutSettings } from '../providers/crypto/payouts/payout-settings.ts';
import { SIGNER_SECRET } from '../providers/crypto/testing/test-signer.ts';
import { userWith } from '../withdrawals/withdrawals.fixture.ts';

export interface PayoutBenchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: WatcherLog;
  readonly chain: string;
  readonly nodes: readonly string[];
  readonly signer: string;
  readonly wallet: string;
  readonly settings?: Partial<ChainSettings>;
  readonly payouts?: Partial<PayoutSettings>;
  readonly failpoint?: (name: string) => void;
  /** Compares balances with the ledger. */
  readonly compare?: CompareReading;
}

/** The catalogue's names of networks. */
const NETWORKS: Readonly<Record<string, string>> = { bitcoin: 'btc', ton: 'ton', tron: 'trc20' };

export type PayoutBench = ReturnType<typeof createPayoutBench>;

export function createPayoutBench(options: PayoutBenchOptions) {
  const { database, clock, log, chain, nodes, signer, wallet, settings, payouts, failpoint, compare } = options;
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(5)).derive("m/44'/60'/0'").publicExtendedKey;
  const whole: ChainSettings = {
    nodes: nodes.map((url) => ({ url, headers: {} })),
    account,
    tokens: {},
    isCoinWatched: true,
    ...settings,
    payouts: {
      wallet,
      signer: { url: signer, secrets: [SIGNER_SECRET], withinSeconds: 2 },
      mostFee: '0.05',
      limits: {},
      lowBalance: {},
      validForSeconds: 3600,
      ...payouts,
    },
  };
  const provider = createCryptoProvider({
    database,
    clock,
    log,
    settings: { chains: { [chain]: whole } },
    bookFee: bookNetworkFee,
    failpoint,
    ...(compare && { compare }),
  });
  const fakes = createFakeCatalogue();
  const method = fakes.method({ operatorId: 'op', name: 'payout_usdt' });
  if (method === undefined) throw new Error('The fixture has no payout of coins');
  const amounts = { min: '0.001', max: '500' };
  const catalogue = {
    ...fakes,
    method: (): CatalogueMethod => ({
      ...method,
      provider: 'crypto',
      network: NETWORKS[chain] ?? 'erc20',
      providerOptions: { network: chain },
      fields: [
        { name: 'wallet', type: 'text', regex: '^.+$' },
        { name: 'memo', type: 'text' },
      ],
      amount_rules: { ETH: amounts, USDT: amounts, BTC: amounts, TON: amounts, TRX: amounts },
    }),
  };
  const { payments } = createBench(database, { catalogue, clock, providers: new Map([[provider.name, provider]]) });
  const { withdrawals } = payments;

  return {
    payments,
    provider,
    /** One round of the wallet, as the worker runs it. */
    async round(): Promise<void> {
      await database.query({ text: `update coin_wallet set next_at = '-infinity'` });
      for (const part of provider.withdrawals?.watch ?? []) await part.round((report) => withdrawals.apply(report));
    },
    /** A user with coins, who withdraws some of them to an address. */
    async cashOut(currency: string, amount: string, address: string, operatorId = 'op', memo?: string) {
      const caller = await userWith(database, { minor: 100_000_000_000n, currency, provider: 'crypto', operatorId });
      const withdrawalId = randomUUID();
      const fields = { wallet: address, ...(memo !== undefined && { memo }) };
      const request = { withdrawalId, amount, currency, paymentMethod: 'payout_usdt', fields };
      await withdrawals.create({ caller, request: { ...request, accountType: 'main' } });
      const confirmed = await withdrawals.confirm(caller, withdrawalId).then(
        () => true,
        () => false,
      );
      return {
        /** Confirms again at another process, when this one ended before its answer, and its lease has ended. */
        async resume(other: Pick<ReturnType<typeof createBench>, 'payments'>, at: Database): Promise<void> {
          if (confirmed) return;
          await at.query({
            text: 'update withdrawal set busy_until = now() where user_id = $1',
            values: [caller.userId],
          });
          await other.payments.withdrawals.confirm(caller, withdrawalId);
        },
        async state(at: Database): Promise<string | undefined> {
          const text = 'select state from withdrawal where user_id = $1';
          return (await at.query<{ state: string }>({ text, values: [caller.userId] }))[0]?.state;
        },
        status: async () => (await withdrawals.status(caller, withdrawalId)).status,
        free: () => userBalance(database, operatorId, caller.userId, currency),
        held: () => accountBalance(database, operatorId, { owner: caller.userId, asset: currency, kind: 'user_hold' }),
        /** The payout as it is stored. */
        async payout() {
          const [row] = await database.query<{ state: string; reason: string | null; hash: string | null; id: string }>(
            {
              text: `select p.state, p.reason, p.hash, p.withdrawal_id as id from coin_payout p join withdrawal w
              on w.operator_id = p.operator_id and w.id = p.withdrawal_id where w.user_id = $1`,
              values: [caller.userId],
            },
          );
          return row;
        },
      };
    },
  };
}
