/** What a payment on TRON can cost: energy for a contract, bandwidth for the bytes, and the price of a new account. All in sun. */
import { hex } from '@scure/base';
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import { ask, type NodeAddress } from '../chain/node-http.ts';
import { type TronPayment, transferArguments } from './tron-transaction.ts';

/** Contracts differ in what a call costs, also between two calls, and the network raises the price of busy ones. */
const ENERGY_MARGIN_PERCENT = 130n;
/** A transaction grows by its signature and its result. */
const FURTHER_BYTES = 140;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const optionalCount = v.optional(count, 0);
const accountSchema = v.object({
  address: v.optional(v.string()),
  type: v.optional(v.string()),
  balance: optionalCount,
});
const resourcesSchema = v.object({
  freeNetLimit: optionalCount,
  freeNetUsed: optionalCount,
  NetLimit: optionalCount,
  NetUsed: optionalCount,
  EnergyLimit: optionalCount,
  EnergyUsed: optionalCount,
});
const parametersSchema = v.object({
  chainParameter: v.array(v.object({ key: v.string(), value: v.optional(v.number(), 0) })),
});
const callSchema = v.object({
  result: v.optional(v.object({ result: v.optional(v.boolean(), false) })),
  energy_used: optionalCount,
  constant_result: v.optional(v.array(v.string()), []),
  transaction: v.optional(v.object({ ret: v.optional(v.array(v.object({ ret: v.optional(v.string()) })), []) })),
});

/** What a payment can cost, before it is made. */
interface TronCost {
  /** The bound of the transaction itself on what a contract takes. 0 without a contract. */
  readonly feeLimit: bigint;
  /** The most that the network can take, when nothing is covered by staked coins. */
  readonly most: bigint;
  /** What of it the wallet must have in coins, because its energy and bandwidth do not cover it. */
  readonly fromCoins: bigint;
}

/** The account of an address. @throws NodeError */
export async function readAccount(node: NodeAddress, address: string): Promise<v.InferOutput<typeof accountSchema>> {
  return required(await ask(node, '/wallet/getaccount', accountSchema, { address, visible: true }));
}

/** What an address has of a token. @throws NodeError */
export async function tokenBalance(node: NodeAddress, contract: string, word: string, from: string): Promise<bigint> {
  const answer = await call(node, { from, contract, selector: 'balanceOf(address)', parameter: word });
  const [balance] = answer.constant_result;
  if (balance === undefined || !/^[0-9a-f]{64}$/i.test(balance))
    throw new NodeError('The node did not return a balance');
  return BigInt(`0x${balance}`);
}

/**
 * @param unsigned bytes of about the size of the transaction, in hex
 * @param isAlone whether no other payout of the wallet is in progress, which could use its energy and bandwidth first
 * @throws NodeError also when the chain would refuse the payment now
 */
export async function costOf(
  node: NodeAddress,
  payment: TronPayment,
  { unsigned, isAlone }: { readonly unsigned: string; readonly isAlone: boolean },
): Promise<TronCost> {
  const priceOf = await prices(node);
  const energy = await energyOf(node, payment);
  const feeLimit = energy * priceOf('getEnergyFee');
  const bytes = BigInt(hex.decode(unsigned).length + FURTHER_BYTES);
  const bandwidth = bytes * priceOf('getTransactionFee');
  const creation = await creationFee(node, payment, priceOf);
  const most = feeLimit + bandwidth + creation;
  if (!isAlone) return { feeLimit, most, fromCoins: most };
  const has = required(await ask(node, '/wallet/getaccountresource', resourcesSchema, ofWallet(payment)));
  const freeEnergy = BigInt(Math.max(0, has.EnergyLimit - has.EnergyUsed));
  const burnt = energy > freeEnergy ? (energy - freeEnergy) * priceOf('getEnergyFee') : 0n;
  // Bandwidth is covered as a whole or not at all, by one of the two kinds.
  const free = Math.max(has.freeNetLimit - has.freeNetUsed, has.NetLimit - has.NetUsed);
  const isCovered = creation === 0n && BigInt(Math.max(0, free)) >= bytes;
  return { feeLimit, most, fromCoins: burnt + (isCovered ? 0n : bandwidth) + creation };
}

const ofWallet = ({ from }: TronPayment) => ({ address: from, visible: true });

/** The network's prices by their name. A price that it does not have is an error, because 0 would be a wrong bound. */
async function prices(node: NodeAddress): Promise<(name: string) => bigint> {
  const { chainParameter } = required(await ask(node, '/wallet/getchainparameters', parametersSchema));
  return (name) => {
    const value = chainParameter.find(({ key }) => key === name)?.value;
    if (value === undefined || !Number.isSafeInteger(value) || value < 0)
      throw new NodeError(`The node did not return the price ${name}`);
    return BigInt(value);
  };
}

/** The energy that the transfer of a token needs, with a margin. 0 for coins. */
async function energyOf(node: NodeAddress, payment: TronPayment): Promise<bigint> {
  if (payment.contract === '') return 0n;
  const { from, contract } = payment;
  const parameter = transferArguments(payment);
  const { energy_used } = await call(node, { from, contract, selector: 'transfer(address,uint256)', parameter });
  return (BigInt(energy_used) * ENERGY_MARGIN_PERCENT + 99n) / 100n;
}

/** Coins to an address that is not on the chain yet create its account. */
async function creationFee(
  node: NodeAddress,
  { contract, to }: TronPayment,
  priceOf: (name: string) => bigint,
): Promise<bigint> {
  if (contract !== '') return 0n;
  const payee = await readAccount(node, to);
  if (payee.type === 'Contract') throw new NodeError('The recipient is a contract, which takes no coins');
  if (payee.address !== undefined) return 0n;
  return priceOf('getCreateNewAccountFeeInSystemContract') + priceOf('getCreateAccountFee');
}

interface ContractCall {
  readonly from: string;
  readonly contract: string;
  readonly selector: string;
  readonly parameter: string;
}

/** Asks what a call would do now, without a transaction. @throws NodeError also when the contract would refuse it */
async function call(node: NodeAddress, { from, contract, selector, parameter }: ContractCall) {
  const body = {
    owner_address: from,
    contract_address: contract,
    function_selector: selector,
    parameter,
    visible: true,
  };
  const answer = required(await ask(node, '/wallet/triggerconstantcontract', callSchema, body));
  const hasFailed = answer.transaction?.ret.some(({ ret }) => ret === 'FAILED') ?? false;
  if (answer.result?.result !== true || hasFailed) throw new NodeError('The contract would refuse the call');
  return answer;
}

function required<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new NodeError('The node does not take this request');
  return answer;
}
