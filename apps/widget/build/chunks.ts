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
  /** One chunk for each set of lazy files that share modules, so that no page loads what only another needs. */
  readonly entriesAware?: true;
  /** By how many lazy files a module must be used. */
  readonly minShareCount?: number;
  /** Shared parts below this size in bytes are joined with others, so that a page is not a dozen requests. */
  readonly entriesAwareMergeThreshold?: number;
}

const source = 'apps/widget/src';

export const chunkGroups: Group[] = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 90 },
  { name: 'boot', tags: ['$initial'], priority: 80 },
  { name: 'shell', test: new RegExp(`${source}/(?:app/app\\.tsx|api/query-client\\.ts)`), priority: 60 },
  // A list to choose from opens at a touch, before any flow has been: it waits for nothing that only flows need.
  {
    name: 'picker',
    test: new RegExp(`${source}/ui/(?:sheet|option-list|search-list)\\.tsx|core/src/fields/dropdown-search\\.ts`),
    priority: 59,
  },
  // What every flow needs, loaded with the first and kept for the next: amount and fields; deposit engine and payment window.
  // Before what is shared, which would be cut anew with every flow that comes.
  {
    name: 'fields',
    test: new RegExp(`${source}/kit/(?:amount-form|use-amount|dynamic-form|use-fields)\\.tsx?`),
    priority: 58,
  },
  { name: 'payment', test: new RegExp(`${source}/kit/use-deposit\\.ts`), priority: 57 },
  // What every payment by hand shows. In one file, as its parts are used in nearly every mixture by the flows.
  {
    name: 'by-hand',
    test: new RegExp(`${source}/kit/(?:payment-page|payment-gate|payment-requisites|upi-page)\\.tsx?`),
    priority: 56,
  },
  // Small parts that a few lazy screens have in common, apart from each other, so that no page loads what only another needs.
  {
    name: 'shared',
    test: new RegExp(`${source}/(?:kit|ui)/|packages/(?:core|contract)/src/`),
    priority: 55,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 30_000,
  },
];

/** Names a lazily loaded file after what it holds: `f-redirect-…` for a flow, `p-complete-…` for a page, `deposit-list-…`. */
export function chunkFileName({ name, facadeModuleId }: { name: string; facadeModuleId?: string | null }): string {
  // Its own name would list everyone who shares it, and that list would be sent before the first screen.
  if (name.startsWith('shared')) return 'assets/s-[hash:7].js';
  const from = facadeModuleId?.split(`${source}/`)[1];
  const [, room, folder] = from?.match(/^(flows|screens)\/([^/]+)\//) ?? [];
  if (room === 'screens' && folder === 'method-list') return 'assets/deposit-list-[hash:7].js';
  if (room !== undefined) return `assets/${room === 'flows' ? 'f' : 'p'}-${folder}-[hash:7].js`;
  return `assets/${name.replaceAll('~', '-')}-[hash:7].js`;
}

/**
 * What a lazy page fetches at once beside itself: its styles, which must be there before it is drawn, and the two large parts. The
 * small ones that it shares with others come a step later; naming them for each page would weigh on the first load.
 */
export function laterDependencies(_file: string, dependencies: string[]): string[] {
  return dependencies.filter((file) => /\.css$|\/(?:fields|payment)-[^/]+\.js$/.test(file));
}
