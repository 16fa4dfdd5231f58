/** The bytes of transactions, against ones of TRON's main network: their hash is the chain's own name of them. */
import { hex } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tronAddress } from '../chain/receiving-address.ts';
import { signedTron, signTron } from '../testing/sign-tron.ts';
import { bytesOf, type Field, numberOf, readMessage, writeMessage } from './protobuf.ts';
import {
  expiryOf,
  isTronAddress,
  partsOf,
  readSigned,
  signerOf,
  transactionId,
  writeSigned,
  writeTransaction,
} from './tron-transaction.ts';

const KEY = new Uint8Array(32).fill(7);
/** A block whose number and hash have only the parts that a transaction names. */
const blockOf = (bytes: string, hash: string) => ({
  height: Number.parseInt(bytes, 16),
  hash: `${'0'.repeat(16)}${hash}${'0'.repeat(32)}`,
});

/** Coins, of which the first one is in a block of 2018. */
const coins = [
  {
    id: 'dc6f6d9325ee44ab3c00528472be16e1572ab076aa161ccd12515029869d0451',
    unsigned:
      '0a027b3b2208b21ace8d6ac20e7e40d8abb9bae62c5a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a15415cd0fb0ab3ce40f3051414c604b27756e69e43db121541521ea197907927725ef36d70f25f850d1659c7c71880897a70d889a4a9e62c',
    from: '5cd0fb0ab3ce40f3051414c604b27756e69e43db',
    to: '521ea197907927725ef36d70f25f850d1659c7c7',
    raw: 2_000_000n,
    block: blockOf('7b3b', 'b21ace8d6ac20e7e'),
    expiresAt: 1_539_331_479_000,
    timestamp: 1_539_295_479_000,
  },
  {
    id: '36c4096d30a82641ee9d8c12297ed330ddb0f8ae272dc2564995de7a4201a67e',
    unsigned:
      '0a02de6322089618e1831602b14840faaaa08bb3335a68080112640a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412330a1541588c5216750cceaad16cf5a757e3f7b32835a5e112154132f9c0c487f21716b7a8f12906b752889902655818c0a9d33a709ad69c8bb333',
    from: '588c5216750cceaad16cf5a757e3f7b32835a5e1',
    to: '32f9c0c487f21716b7a8f12906b7528899026558',
    raw: 123_000_000n,
    block: blockOf('de63', '9618e1831602b148'),
    expiresAt: 1_766_060_463_482,
    timestamp: 1_766_060_403_482,
  },
];

/** A token, in a block of 2024, with the signature that the network took. */
const token = {
  id: '02fcb79bc528b2647e8bcc0cd8242c1843cad512b3daedade567cd5eeba69604',
  unsigned:
    '0a02cdd42208748e608dfc8f140940a8e5acf6b2325aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541382e15fd316598ddf6c97997ff36b83a4bec5a7c12154137349aeb75a32f8c4c090daff376cf975f5d2eba2244a9059cbb000000000000000000000041045fb1e5336ac98ea9a1a91404ef1827d76779040000000000000000000000000000000000000000000000002c68af0bb140000070df91a9f6b232900180ade204',
  from: '382e15fd316598ddf6c97997ff36b83a4bec5a7c',
  contract: '37349aeb75a32f8c4c090daff376cf975f5d2eba',
  signature:
    '4abd7275c9c0007e56a6363f864ec1c27bd96d5d9faddcfbdc5b8122f095e31763680421a4eec488fc6bf1de072df0d0dda0d1bd9bc5981b77f44d63c6e2141100',
};

describe('a transaction of TRON', () => {
  for (const { id, unsigned, from, to, raw, ...frame } of coins) {
    test(`[WD-2] coins: the bytes and the name are those of the chain (${id.slice(0, 8)})`, () => {
      const payment = { from: tronAddress(from), to: tronAddress(to), contract: '', raw };
      expect(writeTransaction(payment, { ...frame, feeLimit: 0n })).toBe(unsigned);
      expect(transactionId(unsigned)).toBe(id);
      expect(expiryOf(unsigned)).toBe(frame.expiresAt);
    });
  }

  test('[WD-2] a token: the bytes and the name are those of the chain, but for the byte before the recipient', () => {
    expect(transactionId(token.unsigned)).toBe(token.id);
    const payment = {
      from: tronAddress(token.from),
      to: tronAddress('045fb1e5336ac98ea9a1a91404ef1827d7677904'),
      contract: tronAddress(token.contract),
      raw: 3_200_000_000_000_000_000n,
    };
    const block = blockOf('cdd4', '748e608dfc8f1409');
    const frame = { block, expiresAt: 1_731_656_889_000, timestamp: 1_731_656_829_151, feeLimit: 10_000_000n };
    // That wallet wrote the address with its prefix of 0x41 into the word. Contracts ignore it, and we write zeros.
    expect(writeTransaction(payment, frame)).toBe(token.unsigned.replace('00000041045fb1e5', '00000000045fb1e5'));
  });

  test('[WD-2] the signature of the network gives the address that paid', () => {
    const signature = hex.decode(token.signature);
    expect(signerOf({ unsigned: token.unsigned, signature })).toBe(tronAddress(token.from));
    const whole = writeSigned({ unsigned: token.unsigned, signature });
    expect(readSigned(`0x${whole.toUpperCase()}`)).toEqual({ unsigned: token.unsigned, signature });
  });

  test('[WD-2] a changed transaction has another name, and the changed part is known', () => {
    const [{ unsigned }] = coins as [(typeof coins)[0]];
    const parts = partsOf(unsigned);
    for (const change of ['recipient', 'amount', 'fee', 'slot'] as const) {
      const other = signTron(unsigned, { key: KEY, change }).unsigned;
      expect(transactionId(other)).not.toBe(transactionId(unsigned));
      const changed = partsOf(other);
      const names = ['recipient', 'amount', 'fee', 'slot'] as const;
      expect(names.filter((name) => changed[name] !== parts[name])).toEqual([change]);
    }
  });

  test('[WD-2] several signatures, none, and bytes that are no transaction are refused', () => {
    const signed = signedTron(token.unsigned, { key: KEY, change: undefined });
    expect(() => readSigned(signed)).not.toThrow();
    const { signature } = readSigned(signed);
    const twice = hex.encode(
      writeMessage([
        [1, hex.decode(token.unsigned)],
        [2, signature],
        [2, signature],
      ]),
    );
    const short = hex.encode(
      writeMessage([
        [1, hex.decode(token.unsigned)],
        [2, signature.subarray(1)],
      ]),
    );
    for (const bad of [twice, short, token.unsigned, 'zz', '', signed.slice(2), signed.slice(0, -2)])
      expect(() => readSigned(bad)).toThrow();
  });

  test('[WD-2] an address with a wrong letter, of another chain, or of another length is none', () => {
    const good = tronAddress(token.from);
    expect(isTronAddress(good)).toBe(true);
    for (const bad of [
      '',
      good.slice(0, -1),
      good.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    ])
      expect(isTronAddress(bad)).toBe(false);
  });
});

test('[WD-2] what is written as protobuf is read again, field by field', () => {
  const field: fc.Arbitrary<Field> = fc.tuple(
    fc.integer({ min: 1, max: 200 }),
    fc.oneof(fc.bigInt(1n, 2n ** 63n - 1n), fc.uint8Array({ minLength: 1, maxLength: 300 })),
  );
  fc.assert(
    fc.property(fc.uniqueArray(field, { selector: ([number]) => number, maxLength: 8 }), (fields) => {
      const read = readMessage(writeMessage(fields));
      expect(read.map(([number]) => number)).toEqual(fields.map(([number]) => number));
      for (const [number, value] of fields) {
        if (typeof value === 'bigint') expect(numberOf(read, number)).toBe(value);
        else expect(hex.encode(bytesOf(read, number))).toBe(hex.encode(value as Uint8Array));
      }
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        readMessage(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});
