/** Checks that a wallet address is valid on a network. A wrong letter or a wrong network loses the coins for ever. */
import { type Decoded, decodeBase58Check, decodeEvm, decodeSegwit, decodeSolana, decodeTon } from './address-forms.ts';
import { findChain } from './chains.ts';
import { isTokenContract } from './token-contracts.ts';

/** Why an address is refused: a locale key. For a wrong network, also the requested network and the address's network. */
export interface AddressError {
  readonly key: string;
  readonly params: { readonly network: string; readonly belongsTo?: string };
}

export const ADDRESS_INVALID_KEY = 'form.wallet.invalid';
export const ADDRESS_CHECKSUM_KEY = 'form.wallet.checksum';
export const ADDRESS_NETWORK_KEY = 'form.wallet.network';
export const ADDRESS_CONTRACT_KEY = 'form.wallet.contract';

const BITCOIN = 'Bitcoin';
const LITECOIN = 'Litecoin';
const DOGECOIN = 'Dogecoin';
const TRON = 'Tron';
const TON = 'Ton';
const SOLANA = 'Solana';
/** Chains with the same address form. One key controls the same address on all of them. */
const EVM = ['Ethereum', 'Binance Smart Chain', 'Base', 'Polygon'];
const test = (network: string): string => `${network} Testnet`;

/** Version bytes. Byte 5 stands for Bitcoin only: Litecoin used it too, but gave it up because both looked alike. */
const BASE58_NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x00, BITCOIN],
  [0x05, BITCOIN],
  [0x30, LITECOIN],
  [0x32, LITECOIN],
  [0x1e, DOGECOIN],
  [0x16, DOGECOIN],
  [0x41, TRON],
  [0x6f, test(BITCOIN)],
  [0xc4, test(BITCOIN)],
  [0x3a, test(LITECOIN)],
  [0x71, test(DOGECOIN)],
]);
const SEGWIT_NETWORKS: ReadonlyMap<string, string> = new Map([
  ['bc', BITCOIN],
  ['ltc', LITECOIN],
  ['tb', test(BITCOIN)],
  ['tltc', test(LITECOIN)],
]);

/** Burn addresses: accounts that nobody owns, so any payment to them is lost. Lower case where the form allows it. */
const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(36)}dead`,
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  '1111111111111111111114oLvT2',
  '1BitcoinEaterAddressDontSendf59kuE',
  'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
  'UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ',
  // Solana's system program, its incinerator and its token program
  '1'.repeat(32),
  '1nc1nerator11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
]);
const isBurnAddress = (address: string): boolean =>
  BURN_ADDRESSES.has(/^0x/i.test(address) ? address.toLowerCase() : address);

const CHECKED = [BITCOIN, LITECOIN, DOGECOIN, TRON, TON, SOLANA, ...EVM];

/** Finds a network whose addresses can be checked, by name or alias (`trc20`). Undefined for any other network. */
export function checkedNetwork(name: string): string | undefined {
  const key = name.toLowerCase();
  const found = key === 'dogecoin' || key === 'doge' ? DOGECOIN : findChain(name)?.name;
  return found !== undefined && CHECKED.includes(found) ? found : undefined;
}

/** Every network that an address may belong to, or the reason why there is none. */
function networksOf(address: string): Decoded<readonly string[]> {
  const forms: readonly Decoded<readonly string[]>[] = [
    named(decodeEvm(address), () => EVM),
    named(decodeSegwit(address), (prefix) => listed(SEGWIT_NETWORKS.get(prefix))),
    named(decodeTon(address), ({ isTest }) => [isTest ? test(TON) : TON]),
    named(decodeSolana(address), () => [SOLANA]),
    named(decodeBase58Check(address), (version) => listed(BASE58_NETWORKS.get(version))),
  ];
  return (
    forms.find(({ kind }) => kind === 'ok') ??
    forms.find(({ kind }) => kind === 'checksum') ?? { kind: 'form' as const }
  );
}

const listed = (network: string | undefined): readonly string[] => (network === undefined ? [] : [network]);

function named<Value>(
  decoded: Decoded<Value>,
  networks: (value: Value) => readonly string[],
): Decoded<readonly string[]> {
  if (decoded.kind !== 'ok') return decoded;
  const value = networks(decoded.value);
  return value.length === 0 ? { kind: 'form' } : { kind: 'ok', value };
}

/**
 * Checks an address by its form and its published checksum. Widget and server use the same check.
 * @param address without spaces around it
 * @param network a name that {@link checkedNetwork} knows
 * @param contracts token contracts from the operator's settings; the well-known contracts are always checked
 * @throws RangeError for a network that cannot be checked, because the catalogue must not offer such a network
 */
export function checkAddress(
  address: string,
  network: string,
  contracts: readonly string[] = [],
): AddressError | undefined {
  const requested = checkedNetwork(network);
  if (requested === undefined) throw new RangeError(`Addresses of ${network} cannot be checked`);
  if (isBurnAddress(address)) return { key: ADDRESS_INVALID_KEY, params: { network: requested } };
  const found = networksOf(address);
  if (found.kind !== 'ok') {
    const key = found.kind === 'checksum' ? ADDRESS_CHECKSUM_KEY : ADDRESS_INVALID_KEY;
    return { key, params: { network: requested } };
  }
  if (!found.value.includes(requested))
    return { key: ADDRESS_NETWORK_KEY, params: { network: requested, belongsTo: found.value.join(', ') } };
  return isTokenContract(address, contracts)
    ? { key: ADDRESS_CONTRACT_KEY, params: { network: requested } }
    : undefined;
}
