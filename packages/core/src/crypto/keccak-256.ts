/** Keccak-256 as Ethereum uses it: the competition's padding, not that of SHA-3 (FIPS 202). Only for check sums of addresses. */

const MASK = 2n ** 64n - 1n;
/** Bytes taken in between two permutations. */
const RATE = 136;
const ROUNDS = 24;

const rotate = (lane: bigint, by: number): bigint => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;

/** The round constants, by the linear feedback shift register of the specification. */
const CONSTANTS = (() => {
  let register = 1;
  const step = (): number => {
    const bit = register & 1;
    register <<= 1;
    if (register & 0x100) register ^= 0x171;
    return bit;
  };
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let power = 0; power < 7; power += 1) if (step() === 1) constant |= 1n << BigInt(2 ** power - 1);
    return constant;
  });
})();

/** The digest of some bytes: 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  let state: bigint[] = new Array<bigint>(25).fill(0n);
  for (let offset = 0; offset < padded.length; offset += RATE) {
    for (let lane = 0; lane < RATE / 8; lane += 1) {
      state[lane] = (state[lane] ?? 0n) ^ view.getBigUint64(offset + lane * 8, true);
    }
    state = permuted(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let lane = 0; lane < 4; lane += 1) digest.setBigUint64(lane * 8, state[lane] ?? 0n, true);
  return new Uint8Array(digest.buffer);
}

function permuted(start: readonly bigint[]): bigint[] {
  let lanes = [...start];
  const at = (index: number): bigint => lanes[index] ?? 0n;
  for (const constant of CONSTANTS) {
    const columns = [0, 1, 2, 3, 4].map((x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20));
    const column = (x: number): bigint => columns[(x + 5) % 5] ?? 0n;
    lanes = lanes.map((lane, index) => lane ^ column((index % 5) - 1) ^ rotate(column((index % 5) + 1), 1));
    const moved = [...lanes];
    let [x, y] = [1, 0];
    for (let step = 1; step <= 24; step += 1) {
      const lane = at(x + 5 * y);
      [x, y] = [y, (2 * x + 3 * y) % 5];
      moved[x + 5 * y] = rotate(lane, ((step * (step + 1)) / 2) % 64);
    }
    lanes = moved.map((lane, index) => {
      const row = index - (index % 5);
      const next = moved[row + ((index + 1) % 5)] ?? 0n;
      return lane ^ (~next & MASK & (moved[row + ((index + 2) % 5)] ?? 0n));
    });
    lanes[0] = at(0) ^ constant;
  }
  return lanes;
}
