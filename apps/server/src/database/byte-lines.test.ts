import { expect, test } from 'vitest';
import { LineTooLongError, linesOf } from './byte-lines.ts';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size: number, mostBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(chunksOf(Buffer.from(text), size), mostBytes)) lines.push(line);
  return lines;
}

test.each([1, 2, 3, 7, 100])('[SRV-2] only a line feed ends a line, in chunks of %i bytes', async (size) => {
  expect(await read('{"note":"a\u2028b\u2029c\u0085d"}\n\n{"ä":"€"}\n', size)).toEqual([
    '{"note":"a\u2028b\u2029c\u0085d"}',
    '',
    '{"ä":"€"}',
  ]);
});

test('bytes after the last line end are no line', async () => {
  expect(await read('whole\ncut off', 4)).toEqual(['whole']);
});

test.each([1, 100])('a line that is too long is refused, in chunks of %i bytes', async (size) => {
  expect(await read('12345\n', size, 5)).toEqual(['12345']);
  await expect(read('123456\n', size, 5)).rejects.toThrow(LineTooLongError);
  await expect(read('123456', size, 5)).rejects.toThrow(LineTooLongError);
});
