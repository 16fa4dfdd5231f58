/** Opens the hot wallets of CRYPTO_FILE, as the server does. */
import { readFileSync } from 'node:fs';
import { openChain } from '../providers/crypto/crypto.ts';
import { type ChainSettings, readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { openWallet } from '../providers/crypto/payouts/coin-payouts.ts';
import type { PayingWallet } from '../providers/crypto/payouts/payout-round.ts';
import { CommandError, type Session } from './command.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The wallet of a chain. @throws CommandError */
export function openPayingWallet(key: string, session: Session): PayingWallet {
  const settings = chainsOf(session)[key];
  const wallet = settings && open(key, settings, session);
  if (wallet === undefined) throw new CommandError('CRYPTO_FILE has no wallet for this payout.');
  return wallet;
}

/** The wallets that are signed by file, by chain. @throws CommandError where there is none */
export function openFileWallets(session: Session): ReadonlyMap<string, PayingWallet> {
  const found = Object.entries(chainsOf(session)).flatMap(([key, settings]) => {
    const isByFile = settings.payouts !== undefined && 'byFile' in settings.payouts.signer;
    const wallet = isByFile ? open(key, settings, session) : undefined;
    return wallet === undefined ? [] : [[key, wallet] as const];
  });
  if (found.length === 0) throw new CommandError('No wallet of CRYPTO_FILE is signed by file.');
  return new Map(found);
}

function open(key: string, settings: ChainSettings, { clock }: Session): PayingWallet | undefined {
  const { nodes, payouts } = settings;
  return payouts && openWallet({ chain: openChain(key, settings, silent), nodes, payouts }, clock);
}

function chainsOf({ config }: Session) {
  const { cryptoFile, chainKeys } = config();
  if (cryptoFile === undefined) throw new CommandError('CRYPTO_FILE is not set: no coins are paid out.');
  return readCryptoSettings(readFileSync(cryptoFile, 'utf8'), chainKeys).chains;
}
