/**
 * The wallet contract v4R2 of TON: its address, and the messages that its owner signs. The contract takes a message only with its own
 * sequence number (seqno), and then counts it up. So the chain takes one message per seqno at most.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import {
  type Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  loadMessageRelaxed,
  type MessageRelaxed,
  SendMode,
  type Slice,
  type StateInit,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';

/** The published code of the contract, as a bag of cells in base64. */
const CODE = Cell.fromBase64(
  'te6ccgECFAEAAtQAART/APSkE/S88sgLAQIBIAIDAgFIBAUE+PKDCNcYINMf0x/THwL4I7vyZO1E0NMf0x/T//QE0VFDuvKhUVG68qIF+QFUEGT5EPKj+AAkpMjLH1JAyx9SMMv/UhD0AMntVPgPAdMHIcAAn2xRkyDXSpbTB9QC+wDoMOAhwAHjACHAAuMAAcADkTDjDQOkyMsfEssfy/8QERITAubQAdDTAyFxsJJfBOAi10nBIJJfBOAC0x8hghBwbHVnvSKCEGRzdHK9sJJfBeAD+kAwIPpEAcjKB8v/ydDtRNCBAUDXIfQEMFyBAQj0Cm+hMbOSXwfgBdM/yCWCEHBsdWe6kjgw4w0DghBkc3RyupJfBuMNBgcCASAICQB4AfoA9AQw+CdvIjBQCqEhvvLgUIIQcGx1Z4MesXCAGFAEywUmzxZY+gIZ9ADLaRfLH1Jgyz8gyYBA+wAGAIpQBIEBCPRZMO1E0IEBQNcgyAHPFvQAye1UAXKwjiOCEGRzdHKDHrFwgBhQBcsFUAPPFiP6AhPLassfyz/JgED7AJJfA+ICASAKCwBZvSQrb2omhAgKBrkPoCGEcNQICEekk30pkQzmkD6f+YN4EoAbeBAUiYcVnzGEAgFYDA0AEbjJftRNDXCx+AA9sp37UTQgQFA1yH0BDACyMoHy//J0AGBAQj0Cm+hMYAIBIA4PABmtznaiaEAga5Drhf/AABmvHfaiaEAQa5DrhY/AAG7SB/oA1NQi+QAFyMoHFcv/ydB3dIAYyMsFywIizxZQBfoCFMtrEszMyXP7AMhAFIEBCPRR8qcCAHCBAQjXGPoA0z/IVCBHgQEI9FHyp4IQbm90ZXB0gBjIywXLAlAGzxZQBPoCFMtqEssfyz/Jc/sAAgBsgQEI1xj6ANM/MFIkgQEI9Fnyp4IQZHN0cnB0gBjIywXLAlAFzxZQA/oCE8tqyx8Syz/Jc/sAAAr0AMntVA==',
);
/** The id of a key's first wallet. */
const SUBWALLET = 698_983_191;
const SIMPLE_SEND = 0;
const SIGNATURE_BITS = 512;
/**
 * The wallet pays the fees besides the amount. It skips an amount that it does not have. Otherwise the failed message would leave the seqno
 * as it was. Then anybody could send it again and again, at the wallet's cost.
 */
const SEND_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;

export interface TonContract {
  readonly publicKey: Uint8Array;
  readonly address: Address;
  readonly init: StateInit;
}

/** What the owner signs. */
export interface TonOrder {
  readonly seqno: number;
  /** Seconds since the epoch. */
  readonly validUntil: number;
  readonly messages: readonly MessageRelaxed[];
}

/** @param publicKey 32 bytes in hex. @throws RangeError for anything else */
export function openTonContract(publicKey: string): TonContract {
  let bytes: Uint8Array;
  try {
    bytes = ed25519.Point.fromHex(publicKey).toBytes();
  } catch {
    throw new RangeError('The wallet of payouts is not a public key of Ed25519 in hex');
  }
  const data = beginCell()
    .storeUint(0, 32)
    .storeUint(SUBWALLET, 32)
    .storeBuffer(Buffer.from(bytes))
    .storeBit(0)
    .endCell();
  const init = { code: CODE, data };
  return { publicKey: bytes, address: contractAddress(0, init), init };
}

/** The body without its signature. The signature is of its hash. */
export function unsignedBody(seqno: number, validUntil: number, message: MessageRelaxed): Cell {
  return beginCell()
    .storeUint(SUBWALLET, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32)
    .storeUint(SIMPLE_SEND, 8)
    .storeUint(SEND_MODE, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(message)))
    .endCell();
}

/**
 * The order in a body without its signature.
 * @returns without messages for an order that pays nobody, such as one about plugins
 * @throws Error for a body that the wallet does not take
 */
export function readUnsigned(body: Cell): TonOrder {
  const slice = body.beginParse();
  if (slice.loadUint(32) !== SUBWALLET) throw new RangeError('Not an order to this wallet');
  const [validUntil, seqno] = [slice.loadUint(32), slice.loadUint(32)];
  return { seqno, validUntil, messages: messagesIn(slice) };
}

function messagesIn(slice: Slice): MessageRelaxed[] {
  const messages: MessageRelaxed[] = [];
  try {
    if (slice.loadUint(8) !== SIMPLE_SEND) return [];
    while (slice.remainingRefs > 0) {
      slice.skip(8);
      messages.push(loadMessageRelaxed(slice.loadRef().beginParse()));
    }
  } catch {
    // The wallet takes such an order, too, and fails afterwards.
    return [];
  }
  return messages;
}

/** Takes a signed body apart. @throws Error for a shorter cell */
export function splitSigned(signed: Cell): { readonly signature: Uint8Array; readonly body: Cell } {
  const slice = signed.beginParse();
  const signature = new Uint8Array(slice.loadBuffer(SIGNATURE_BITS / 8));
  return { signature, body: slice.asCell() };
}

export function isSignedBy({ publicKey }: TonContract, body: Cell, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, new Uint8Array(body.hash()), publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** The whole message to the chain, as a bag of cells in base64. The first one brings the contract's code, because nobody did before. */
export function sealedMessage({ address, init }: TonContract, body: Cell, signature: Uint8Array): string {
  const signed = beginCell().storeBuffer(Buffer.from(signature)).storeSlice(body.beginParse()).endCell();
  const isFirst = readUnsigned(body).seqno === 0;
  const message = external({ to: address, body: signed, ...(isFirst && { init }) });
  return beginCell()
    .store(storeMessage(message, { forceRef: true }))
    .endCell()
    .toBoc()
    .toString('base64');
}

/** The hash that explorers know a message by (TEP-467), in hex. It leaves out what nodes may change on the way. */
export function messageHash({ address }: Pick<TonContract, 'address'>, signed: Cell): string {
  return beginCell()
    .storeUint(0b10, 2)
    .storeUint(0, 2)
    .storeAddress(address)
    .storeCoins(0n)
    .storeBit(0)
    .storeBit(1)
    .storeRef(signed)
    .endCell()
    .hash()
    .toString('hex');
}
