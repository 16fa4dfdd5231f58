/** The lines of a file or of a socket. */

/** A line is longer than the reader accepts. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const LINE_END = 0x0a;

/**
 * The lines of UTF-8 text, one after the other. The input is not read further while a line is handled. Bytes after the last line end are
 * no line, because whoever wrote them was cut off. `node:readline` also ends a line at U+2028 since Node 24, and texts of users may
 * hold that.
 * @param mostBytes the longest line that is accepted; absent: any
 * @throws LineTooLongError
 */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  mostBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
      if (line.length > mostBytes) throw new LineTooLongError('A line is too long.');
      yield line.toString();
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > mostBytes) throw new LineTooLongError('A line is too long.');
  }
}
