/** Whether a wallet's address can be paid to on a network: a wrong letter or a wrong network loses the coins for ever. */
import { type Decoded, decodeBase58Check, decodeEvm, decodeSegwit, decodeTon } from './address-forms.ts';
import { findChain } from './chains.ts';
import { isTokenContract } from './token-contracts.ts';

/** What is wrong: a locale key, and for a wrong network the names of the asked one and of the one it belongs to. */
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
/** Chains that share one form: whoever has the key of an address has it on each of them. */
const EVM = ['Ethereum', 'Binance Smart Chain'];
const test = (network: string): string => `${network} Testnet`;

/** Version bytes. 5 is Bitcoin's: Litecoin's old use of it is given up, as nobody could tell the two apart. */
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

/** Accounts without an owner, as their chains write them, in small letters where the form allows: what goes there is lost. */
const BURNT: ReadonlySet<string> = new Set([
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(36)}dead`,
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  '1111111111111111111114oLvT2',
  '1BitcoinEaterAddressDontSendf59kuE',
  'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
  'UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ',
]);
const isBurnt = (address: string): boolean => BURNT.has(/^0x/i.test(address) ? address.toLowerCase() : address);

const CHECKED = [BITCOIN, LITECOIN, DOGECOIN, TRON, TON, ...EVM];

/** The name of a network whose addresses can be checked, by its name or alias (`trc20`); undefined for any other. */
export function checkedNetwork(name: string): string | undefined {
  const key = name.toLowerCase();
  const found = key === 'dogecoin' || key === 'doge' ? DOGECOIN : findChain(name)?.name;
  return found !== undefined && CHECKED.includes(found) ? found : undefined;
}

/** Every network that an address may belong to; why there is none where there is none. */
function networksOf(address: string): Decoded<readonly string[]> {
  const forms: readonly Decoded<readonly string[]>[] = [
    named(decodeEvm(address), () => EVM),
    named(decodeSegwit(address), (prefix) => listed(SEGWIT_NETWORKS.get(prefix))),
    named(decodeTon(address), ({ isTest }) => [isTest ? test(TON) : TON]),
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
 * Checks an address by its form and published check sum, the same in the widget and on the server.
 * @param address without spaces around it
 * @param network a name that {@link checkedNetwork} knows
 * @param contracts of tokens that the operator's settings name; the usual ones are known
 * @throws RangeError for a network that cannot be checked: the catalogue must not offer one
 */
export function checkAddress(
  address: string,
  network: string,
  contracts: readonly string[] = [],
): AddressError | undefined {
  const wanted = checkedNetwork(network);
  if (wanted === undefined) throw new RangeError(`Addresses of ${network} cannot be checked`);
  if (isBurnt(address)) return { key: ADDRESS_INVALID_KEY, params: { network: wanted } };
  const found = networksOf(address);
  if (found.kind !== 'ok') {
    const key = found.kind === 'checksum' ? ADDRESS_CHECKSUM_KEY : ADDRESS_INVALID_KEY;
    return { key, params: { network: wanted } };
  }
  if (!found.value.includes(wanted))
    return { key: ADDRESS_NETWORK_KEY, params: { network: wanted, belongsTo: found.value.join(', ') } };
  return isTokenContract(address, contracts) ? { key: ADDRESS_CONTRACT_KEY, params: { network: wanted } } : undefined;
}
