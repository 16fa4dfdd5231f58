/** The answers of failed requests as OpenAPI describes them, with an example for each code. */
import { type ErrorCode, errorCodes } from '@opencashier/contract/api';
import { errorPage } from '@opencashier/contract/documentation';
import { errorGuide } from '@opencashier/contract/errors';

/** @param words in place of the general meanings of the codes */
export function failure(status: number, codes: readonly ErrorCode[], words?: string): object {
  return {
    description: words ?? codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n'),
    ...((status === 429 || status === 503) && {
      headers: { 'retry-after': { $ref: '#/components/headers/retryAfter' } },
    }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              summary: errorCodes[code].meaning,
              value: { error: { code, ...errorGuide[code].example, docs: errorPage(code) } },
            },
          ]),
        ),
      },
    },
  };
}

/** The codes that a text about errors names in its form: `not-found`: no such deposit. */
export function codesIn(words: string): ErrorCode[] {
  return [...words.matchAll(/`([\w.-]+)`: /g)].flatMap(([, name = '']) => (isErrorCode(name) ? [name] : []));
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCodes, name);
}
