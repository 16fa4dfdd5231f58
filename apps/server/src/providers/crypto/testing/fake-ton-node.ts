/** The answers of an index of TON (toncenter, version 3) over a fake chain. */
import { createHash } from 'node:crypto';
import { Address } from '@ton/core';
import { splitDestination } from '../ton/ton-wallet.ts';
import type { FakeChain, FakeTransfer } from './fake-chain.ts';
import { commentBody, notificationBody, tokensBody } from './ton-bodies.ts';

const base64 = (hex: string | undefined): string => Buffer.from(hex ?? '', 'hex').toString('base64');
const raw = (address: string): string => Address.parse(address).toRawString().toUpperCase();
const SENDER = `0:${'AB'.repeat(32)}`;
/** Seconds between two blocks. */
const BLOCK_S = 2;
const START_S = 1_700_000_000;

/** The jetton wallet of an owner for a master contract. */
export function fakeJettonWallet(owner: string, master: string): string {
  return `0:${createHash('sha256')
    .update(`${raw(owner)} ${raw(master)}`)
    .digest('hex')
    .toUpperCase()}`;
}

function transactionOf(chain: FakeChain, account: string, transfer: FakeTransfer, height: number | undefined) {
  const { txid, to, contract, hasFailed = false, ton = {} } = transfer;
  const { memo } = splitDestination(to);
  const isToTokens = contract !== undefined && ton.isNotification !== true;
  const written = isToTokens ? tokensBody({ raw: transfer.raw, comment: memo }) : commentBody(memo);
  const body = ton.body ?? (ton.isNotification ? notificationBody({ raw: transfer.raw, comment: memo }) : written);
  return {
    account,
    hash: base64(txid),
    lt: '1',
    now: START_S + (height ?? chain.height + 1) * BLOCK_S,
    mc_block_seqno: height ?? null,
    emulated: false,
    description: { type: 'ord', aborted: hasFailed },
    in_msg:
      ton.isExternal === true
        ? { source: null, value: null, bounce: null, bounced: null, message_content: { body } }
        : {
            source: contract !== undefined && ton.isNotification ? fakeJettonWallet(SENDER, contract) : SENDER,
            destination: account,
            value: isToTokens || ton.isNotification ? '1' : transfer.raw.toString(),
            bounce: ton.isBounceable ?? true,
            bounced: ton.isBounced ?? false,
            message_content: { body },
          },
  };
}

/** What blocks brought to a wallet, less what its owner took. */
function balanceOf(chain: FakeChain, owner: string, master?: string): bigint {
  const isSameAsset = (contract: string | undefined): boolean =>
    contract === undefined || master === undefined ? contract === master : raw(contract) === raw(master);
  const received = chain
    .transfers()
    .filter(({ transfer: { to, contract, hasFailed }, height }) => {
      const isIts = raw(splitDestination(to).wallet) === raw(owner);
      return height !== undefined && !hasFailed && isIts && isSameAsset(contract);
    })
    .reduce((sum, { transfer }) => sum + transfer.raw, 0n);
  return received - chain.takenFrom(owner, master);
}

export function answerAsTon(chain: FakeChain, { pathname, searchParams }: URL): unknown {
  const blockOf = (height: number) => ({
    workchain: -1,
    seqno: height,
    root_hash: base64(chain.blockAt(height)?.hash),
    gen_utime: String(START_S + height * BLOCK_S),
  });
  const owner = searchParams.get('owner_address') ?? '';
  const master = searchParams.get('jetton_address') ?? '';
  switch (pathname) {
    case '/api/v3/masterchainInfo':
      return { last: { ...blockOf(chain.height), global_id: chain.globalId } };
    case '/api/v3/blocks': {
      const height = Number(searchParams.get('seqno'));
      return { blocks: chain.blockAt(height) === undefined ? [] : [blockOf(height)] };
    }
    case '/api/v3/jetton/wallets': {
      const has = chain
        .transfers()
        .some(({ transfer: { contract } }) => contract !== undefined && raw(contract) === raw(master));
      return {
        jetton_wallets: has
          ? [
              {
                address: fakeJettonWallet(owner, master),
                owner: raw(owner),
                jetton: raw(master),
                balance: String(balanceOf(chain, owner, master)),
              },
            ]
          : [],
      };
    }
    case '/api/v3/walletStates': {
      const address = searchParams.get('address') ?? '';
      return { wallets: [{ address: raw(address), status: 'active', balance: String(balanceOf(chain, address)) }] };
    }
    case '/api/v3/transactions': {
      const account = raw(searchParams.get('account') ?? '');
      const accountOf = ({ to, contract, ton }: FakeTransfer): string => {
        const wallet = splitDestination(to).wallet;
        return contract === undefined || ton?.isNotification ? raw(wallet) : fakeJettonWallet(wallet, contract);
      };
      const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
      const [from, to] = [Number(searchParams.get('start_utime')), Number(searchParams.get('end_utime'))];
      const all = chain
        .transfers()
        .filter(({ transfer }) => accountOf(transfer) === account)
        .map(({ transfer, height }) => transactionOf(chain, account, transfer, height))
        .filter(({ now }) => now >= from && now <= to + BLOCK_S);
      // Repeats a transaction of the page before, as when a new one arrives between two requests.
      return { transactions: all.slice(Math.max(0, offset - 1), offset + limit) };
    }
    default:
      return undefined;
  }
}
