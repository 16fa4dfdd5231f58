/** CRC-16/XMODEM (polynomial 1021, start 0), big-endian: the check sum of TON's addresses. */
export function crc16Xmodem(bytes: Uint8Array): Buffer {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return Buffer.of(crc >> 8, crc & 0xff);
}
