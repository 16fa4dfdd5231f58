/**
 * A QR code as the path of an SVG. A module is one unit; the quiet zone around it is four units (ISO/IEC 18004).
 * @throws Error when the text is longer than a QR code can carry
 */
import { encode } from 'uqr';

const quietZone = 4;

export interface QrPath {
  /** Modules of a side, the quiet zone included. */
  readonly size: number;
  readonly path: string;
}

export function qrPath(text: string): QrPath {
  // Level M is enough for a phone's camera and a screen. More redundancy would make the modules smaller.
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const runs = data.flatMap((row, y) => rowRuns(row, y));
  return { size, path: runs.join('') };
}

/** The dark runs of a row. */
function rowRuns(row: readonly boolean[], y: number): string[] {
  const runs: string[] = [];
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    runs.push(`M${start} ${y}h${x + 1 - start}v1H${start}z`);
  }
  return runs;
}
