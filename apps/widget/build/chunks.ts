/**
 * Which source file ends in which built file. Boot must run before the browser parses React. So the file of boot has nothing that
 * React needs, and no file that imports React has a part of boot. The groups below keep the two apart.
 *
 * Two rules keep the built files free of import cycles. First, a named group takes all that its modules import, except what an
 * earlier group has. So it imports earlier groups alone. Second, all other modules are cut by who uses them, and an import has at
 * least as many users as its importer. Joining such parts by size alone, as a bundler offers to, would break the second rule.
 */
interface Group {
  readonly name: string;
  readonly test?: RegExp;
  /** `$initial`: what the entry imports statically. */
  readonly tags?: ['$initial'];
  /** One chunk for each set of lazy files that share modules, so that no page loads what only another needs. */
  readonly entriesAware?: true;
  /** By how many lazy files a module must be used. */
  readonly minShareCount?: number;
}

const source = 'apps/widget/src';

/** What the first list needs. */
const first: Group[] = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
  { name: 'boot', tags: ['$initial'] },
  // Everything between a screen's call and the server. Boot loads it after the first list, or before React is there. So it imports
  // nothing but boot, and nothing of the first list or of a form may be in it.
  { name: 'client', test: new RegExp(`${source}/api/(?:server-client|method-calls)\\.ts`) },
  // The first list, with the frame around every page.
  {
    name: 'shell',
    test: new RegExp(`${source}/(?:app/shell/app\\.tsx|api/query-client\\.ts|screens/method-list/|ui/page/card\\.tsx)`),
  },
  // The form that most cards open. The browser fetches it beside the list's file, and the list does not wait for it.
  { name: 'form', test: new RegExp(`${source}/flows/redirect/redirect-screen\\.tsx`) },
];

/** The large parts that pages have in common, each fetched with the first page that needs it and kept for the next. */
const common: Group[] = [
  // A list to choose from opens at a touch, before any flow has been: it waits for nothing that only flows need.
  {
    name: 'picker',
    test: new RegExp(
      `${source}/ui/(?:layers/sheet|lists/option-list|lists/search-list)\\.tsx|core/src/fields/dropdown-search\\.ts`,
    ),
  },
  // A page that says one thing, and where links may lead. The list shows such a page at a fault, before any flow has been.
  { name: 'state', test: new RegExp(`${source}/ui/page/state-view\\.tsx|core/src/links/safe-link\\.ts`) },
  // What is known of a payment: the server's status, what the tab keeps, the key of its create, what the host has heard. The list
  // looks for an unfinished deposit with it, long before a flow needs the engine.
  {
    name: 'known',
    test: new RegExp(
      [
        `${source}/kit/(?:deposit/(?:deposit-intent|pending-deposit)|idempotency/sent-key|session/use-host-event)\\.ts`,
        'core/src/(?:transaction/status|deposit/create-failure)\\.ts',
        'contract/src/api/calls/deposit-status\\.ts',
      ].join('|'),
    ),
  },
  // What stands in some forms beside their fields: the choices of a tile, the fee, the worth of a coin. Withdrawals use the same parts, so
  // without this group a deposit's fee would wait for the whole withdrawal. It imports `known` for the texts of failures.
  {
    name: 'beside',
    test: new RegExp(
      [
        `${source}/ui/inputs/segmented\\.tsx`,
        `${source}/kit/(?:format/written-time|withdrawal/(?:fee-text|summary))\\.tsx?`,
        'core/src/money/fee\\.ts',
        'contract/src/api/calls/payment-convert-v2\\.ts',
      ].join('|'),
    ),
  },
  // A method's own fields. Many methods have none, so the form loads them only for the others.
  {
    name: 'fields',
    test: new RegExp(`${source}/kit/form/(?:field-list|field-reading)\\.tsx?|core/src/fields/regex-rule\\.ts`),
  },
  // The deposit engine, which is needed at the press. The form loads it when it is on the screen.
  { name: 'payment', test: new RegExp(`${source}/kit/deposit/(?:deposit-run|press-outcome)\\.tsx?`) },
  // What keeps an open page up to date: the timer, and the server's report about a deposit.
  {
    name: 'live',
    test: new RegExp(
      `${source}/kit/[a-z-]+/(?:amount-head|payment-timer|use-payment-timer|use-deposit-report|reported-paid)\\.tsx?`,
    ),
  },
  // What every payment by hand shows. In one file, as its parts are used in nearly every mixture by the flows.
  {
    name: 'by-hand',
    test: new RegExp(`${source}/kit/[a-z-]+/(?:payment-page|payment-gate|payment-requisites|upi-page)\\.tsx?`),
  },
  // What an idle list does for its next tap.
  { name: 'ahead', test: new RegExp(`${source}/app/(?:navigation/list-ahead|shell/drawn-ahead)\\.tsx?`) },
  { name: 'bonus', test: new RegExp(`${source}/kit/bonus/(?:bonus-choice|bonus-text|use-bonus-shelf)\\.tsx?`) },
  { name: 'withdrawal', test: new RegExp(`${source}/kit/withdrawal/withdrawal-form\\.tsx`) },
];

/** Small parts that a few pages have in common, apart from each other, so that no page loads what only another needs. */
const shared: Group = {
  name: 'shared',
  test: new RegExp(`${source}/(?:flows|kit|ui)/|packages/(?:core|contract)/src/`),
  minShareCount: 2,
  entriesAware: true,
};

/** The earlier takes first. */
export const chunkGroups = [...first, ...common, shared].map((group, place, { length }) => ({
  ...group,
  priority: length - place,
}));

/** Names a lazily loaded file after what it holds: `f-redirect-…` for a flow, `p-complete-…` for a page, `deposit-list-…`. */
export function chunkFileName({ name, facadeModuleId }: { name: string; facadeModuleId?: string | null }): string {
  // Its own name would list everyone who shares it, and that list would be sent before the first screen.
  if (name.startsWith('shared')) return 'assets/s-[hash:7].js';
  const from = facadeModuleId?.split(`${source}/`)[1];
  const [, kind, folder] = from?.match(/^(flows|screens)\/([^/]+)\//) ?? [];
  if (kind === 'screens' && folder === 'method-list') return 'assets/deposit-list-[hash:7].js';
  if (kind !== undefined) return `assets/${kind === 'flows' ? 'f' : 'p'}-${folder}-[hash:7].js`;
  return `assets/${name.replaceAll('~', '-')}-[hash:7].js`;
}

/** The files that are there before any page: what the first list needs, and the list. */
const firstFile = new RegExp(
  `/(?:${[...first.map(({ name }) => name), 'rolldown-runtime'].join('|')})-[^/]{6,7}\\.js$`,
);

/**
 * What a lazy page fetches at once beside itself: its styles, which must be there before it is drawn, and every file that it
 * imports. A file that is left out would come a step later, and on a slow network each step is a wait that the payer sees.
 */
export function laterDependencies(_file: string, dependencies: string[]): string[] {
  return dependencies.filter((file) => !firstFile.test(file));
}
