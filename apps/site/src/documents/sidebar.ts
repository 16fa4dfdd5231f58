/** The order of the pages, by what a reader does first. Every page of docs/ is in it (tools/documents/site.test.ts). */

/** A title with pages, or with every page of a folder. */
export interface Group {
  readonly label: string;
  readonly pages?: readonly string[];
  readonly folder?: string;
}

export const groups: readonly Group[] = [
  { label: 'Start', pages: ['index', 'first-deposit', 'flows', 'sandbox', 'gallery', 'glossary'] },
  {
    label: 'Integrate',
    pages: ['integrate', 'catalogue', 'bonuses', 'crypto-balance', 'sweepstake', 'languages', 'words', 'accessibility'],
  },
  {
    label: 'Operate',
    pages: [
      'operate',
      'operators',
      'providers',
      'connections',
      'routing',
      'metrics',
      'reliability',
      'security',
      'scale',
      'release',
    ],
  },
  { label: 'Alerts', folder: 'runbooks' },
  { label: 'Money', pages: ['money', 'withdrawals', 'payouts', 'reconciliation'] },
  { label: 'Reference', pages: ['errors', 'reference/host-protocol', 'reference/schema'] },
  {
    label: 'Extend',
    pages: ['architecture-of-the-server', 'add-a-flow', 'add-a-provider', 'provider-kit', 'first-second'],
  },
  { label: 'Decisions', folder: 'adr' },
];
