/** The hot wallet of the tests of payouts on TON. */
import { Cell } from '@ton/core';
import { openTonContract, sealedMessage, splitSigned, unsignedBody } from '../providers/crypto/payouts/ton-contract.ts';
import { readPayee } from '../providers/crypto/payouts/ton-payee.ts';
import { paymentMessage } from '../providers/crypto/payouts/ton-payment.ts';
import { signTon, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { TonLedger } from '../providers/crypto/testing/ton-ledger.ts';
import type { PayoutBenchOptions } from './coin-payouts.fixture.ts';

const contract = openTonContract(TestSigner.tonWallet);
/** Its address, as people write it and as the chain does. */
export const wallet = contract.address.toString({ bounceable: false });
export const rawWallet = contract.address.toRawString();
/** The contract of the tokens. */
export const MASTER = `0:${'cc'.repeat(32)}`;

/** What the bench of payouts needs to know of the wallet. Deposits use the same wallet, so that money which comes back could be taken for one. */
export const ofTonWallet = (confirmations: number): Pick<PayoutBenchOptions, 'chain' | 'wallet' | 'settings'> => ({
  chain: 'ton',
  wallet: TestSigner.tonWallet,
  settings: { account: wallet, confirmations, tokens: { USDT: { contract: MASTER, decimals: 6 } } },
});

/** A payment by the wallet's owner, with the wallet's next seqno, as the chain takes it. */
export function orderByHand(ledger: TonLedger, address: string, raw: bigint): string {
  const payee = readPayee(address);
  if (typeof payee === 'string') throw new RangeError(payee);
  const { seqno } = ledger.account(wallet);
  const payment = { wallet: contract.address, payee, raw, queryId: 0n };
  const body = unsignedBody(seqno, ledger.nowS + 60, paymentMessage(payment, false));
  const { signature } = splitSigned(Cell.fromBase64(signTon(body.toBoc().toString('base64'), 'well')));
  return sealedMessage(contract, body, signature);
}
