/** The page of all error codes, from the contract's table. */
import { type ErrorCode, errorCodes } from '@opencashier/contract/api';
import { errorAnchor, errorPage } from '@opencashier/contract/documentation';
import { type Actor, errorGuide } from '@opencashier/contract/errors';

const actors: Readonly<Record<Actor, string>> = {
  payer: 'the payer',
  integrator: 'the engineer of the caller',
  staff: 'the staff of the operator',
  host: 'the people who run the cashier',
};

export function errorsPage(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return `${[
    '# Error codes',
    '<!-- Generated from packages/contract/src/errors by `npm run docs`. Do not edit. -->',
    'Every failed request has the body `{ "error": { "code": …, "message": … } }`. Decide by `code`. `message` is English and for ' +
      'logs; only that of `banking.merchantClientError` is for the user.',
    '`docs` is the address of the section about the code. The setting `DOCS_URL` of the server names another documentation.',
    'The anchor of a section is its code in small letters and without dots, such as `#limit-min`. It does not change. A later version ' +
      'may add codes. Treat an unknown code by its HTTP status: with 4xx change the request, with 5xx ask for the status first.',
    ['| code | status | cause | remedy | who acts |', '|---|---|---|---|---|', ...codes.map(row)].join('\n'),
    ...codes.map(section),
  ].join('\n\n')}\n`;
}

/** A code in one line. The section that it leads to has the rest. */
function row(code: ErrorCode): string {
  const { cause, remedy, actor } = errorGuide[code];
  const cells = [`[\`${code}\`](#${errorAnchor(code)})`, errorCodes[code].status, cause, remedy, actors[actor]];
  return `| ${cells.join(' | ')} |`;
}

function section(code: ErrorCode): string {
  const { happened, cause, remedy, actor, retry, example } = errorGuide[code];
  const body = JSON.stringify({ error: { code, ...example, docs: errorPage(code) } }, null, 2);
  return [
    `## ${code}`,
    `**What happened.** ${happened}`,
    `**Cause.** ${cause}`,
    `**Remedy.** ${remedy}`,
    [
      '| HTTP status | who acts | does a repeat help? |',
      '|---|---|---|',
      `| ${errorCodes[code].status} | ${actors[actor]} | ${retry} |`,
    ].join('\n'),
    `\`\`\`json\n${body}\n\`\`\``,
  ].join('\n\n');
}
