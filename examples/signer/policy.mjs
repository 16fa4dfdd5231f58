/** The policy of the signer: which wallets and coins, and how much. It is the operator's own, and the cashier cannot change it. */

const AMOUNT = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;
const KEYS = {
  policy: ['wallets'],
  wallet: ['format', 'chainId', 'prefix', 'decimals', 'mostFee', 'dayPayments', 'assets'],
  asset: ['contract', 'decimals', 'payment', 'day', 'approveAbove'],
};

/**
 * @typedef {object} Asset
 * @property {string} coin
 * @property {string} contract '' for the chain's own coin
 * @property {bigint} payment the most of one payment, in the smallest unit
 * @property {bigint} day the most of 24 hours
 * @property {bigint} approveAbove above it two people must approve
 */
/**
 * @typedef {object} WalletPolicy
 * @property {'eip1559' | 'psbt'} format
 * @property {bigint} [chainId] of an EVM chain
 * @property {'bc' | 'ltc'} [prefix] of addresses on Bitcoin and Litecoin
 * @property {bigint} mostFee the most that the network may take for one payment
 * @property {number} dayPayments the most payments of 24 hours. So the network can take `dayPayments` times `mostFee` in this time
 * @property {ReadonlyMap<string, Asset>} assets by contract, in lower case
 */

/**
 * Reads `policy.json`. A misspelt limit must not count as none, so unknown keys are refused, and no limit has a default.
 *
 * @param {string} text
 * @returns {ReadonlyMap<string, WalletPolicy>} by the cashier's name of the chain
 * @throws {RangeError} that names the place of the mistake
 */
export function readPolicy(text) {
  const { wallets } = known(JSON.parse(text), KEYS.policy, 'policy');
  return new Map(Object.entries(wallets).map(([chain, one]) => [chain, readWallet(one, `wallets.${chain}`)]));
}

/** @returns {WalletPolicy} */
function readWallet(value, place) {
  const { format, chainId, prefix, decimals, mostFee, dayPayments, assets } = known(value, KEYS.wallet, place);
  if (format !== 'eip1559' && format !== 'psbt') throw new RangeError(`${place}.format must be eip1559 or psbt`);
  if (format === 'eip1559' && !(Number.isSafeInteger(chainId) && chainId > 0))
    throw new RangeError(`${place}.chainId must be the number of the network`);
  if (format === 'psbt' && prefix !== 'bc' && prefix !== 'ltc')
    throw new RangeError(`${place}.prefix must be bc or ltc`);
  if (!(Number.isSafeInteger(dayPayments) && dayPayments > 0))
    throw new RangeError(`${place}.dayPayments must be a whole number above 0`);
  const read = Object.entries(assets ?? {}).map(([coin, one]) => readAsset(coin, one, `${place}.assets.${coin}`));
  if (read.length === 0) throw new RangeError(`${place}.assets is empty`);
  return {
    format,
    ...(format === 'eip1559' ? { chainId: BigInt(chainId) } : { prefix }),
    mostFee: unitsOf(mostFee, decimals, `${place}.mostFee`),
    dayPayments,
    assets: new Map(read.map((asset) => [asset.contract, asset])),
  };
}

/** @returns {Asset} */
function readAsset(coin, value, place) {
  const { contract = '', decimals, payment, day, approveAbove } = known(value, KEYS.asset, place);
  if (contract !== '' && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new RangeError(`${place}.contract must be an address`);
  const units = (amount, name) => unitsOf(amount, decimals, `${place}.${name}`);
  return {
    coin,
    contract: contract.toLowerCase(),
    payment: units(payment, 'payment'),
    day: units(day, 'day'),
    approveAbove: units(approveAbove, 'approveAbove'),
  };
}

/** An amount such as "0.5" in the smallest unit. A digit that is too fine is an error, not cut off. */
function unitsOf(amount, decimals, place) {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 18)
    throw new RangeError(`${place} needs decimals from 0 to 18 beside it`);
  const [, whole, fraction = ''] = AMOUNT.exec(typeof amount === 'string' ? amount : '') ?? [];
  if (whole === undefined || fraction.length > decimals)
    throw new RangeError(`${place} must be an amount such as "0.5" with at most ${decimals} decimals`);
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}

function known(value, keys, place) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(`${place} must be an object`);
  const stranger = Object.keys(value).find((key) => !keys.includes(key));
  if (stranger !== undefined) throw new RangeError(`${place}.${stranger} is not known`);
  return value;
}
