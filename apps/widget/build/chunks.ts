/**
 * Which source ends in which file. Boot must run before React is parsed, so nothing that React needs may be drawn into it,
 * and nothing of boot into a file that imports React: the groups below are that line.
 */
interface Group {
  readonly name: string;
  readonly test?: RegExp;
  /** `$initial`: what the entry imports statically. */
  readonly tags?: ['$initial'];
  readonly priority: number;
}

const source = 'apps/widget/src';

export const chunkGroups: Group[] = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 90 },
  { name: 'boot', tags: ['$initial'], priority: 80 },
  { name: 'shell', test: new RegExp(`${source}/(?:app/app\\.tsx|api/query-client\\.ts)`), priority: 60 },
];

/** Names a lazily loaded file after what it holds: `flow-redirect-…`, `screen-complete-…`, `deposit-list-…`. */
export function chunkFileName({ name, facadeModuleId }: { name: string; facadeModuleId?: string | null }): string {
  const from = facadeModuleId?.split(`${source}/`)[1];
  const [, room, folder] = from?.match(/^(flows|screens)\/([^/]+)\//) ?? [];
  if (room === 'screens' && folder === 'method-list') return 'assets/deposit-list-[hash].js';
  if (room !== undefined) return `assets/${room === 'flows' ? 'flow' : 'screen'}-${folder}-[hash].js`;
  return `assets/${name}-[hash].js`;
}
