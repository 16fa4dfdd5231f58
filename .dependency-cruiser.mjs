/**
 * Who may import whom: the table of the architecture as rules. What a row does not list is forbidden.
 *
 * `npm run architecture` runs the rules and the canary (tools/architecture/check.mjs). A rule that cannot fail is worse than
 * none. So every rule here has a file in tools/architecture/canary that breaks it and must be reported.
 */
import { serverLayers, serverRoot } from './tools/architecture/server-layers.mjs';
import './tools/architecture/typescript-reader.mjs';

// The canary reaches the real packages from its own folder, so a path may begin with `../`.
const root = '^(?:\\.\\./)*';
const widget = 'apps/widget/src';
/** Test code is free to reach into any folder. */
export const tests = ['\\.test\\.tsx?$', '/testing/', '[-./]fixtures?\\.tsx?$'];
// A published package is its build; before a build only its name is known.
const code = `(?:${root}(?:packages|apps)/|^@opencashier/(?:embed|provider-kit|server)\\b)`;

/** A layer may import the listed folders of our own code and no other. */
function layer(name, comment, from, allowed, { typesOnly = [] } = {}) {
  const to = (folders) => folders.map((folder) => `${root}${folder}`);
  return [
    {
      name,
      comment,
      severity: 'error',
      from: { path: `${root}${from}`, pathNot: tests },
      to: { path: code, pathNot: [...to(allowed), ...to(typesOnly)] },
    },
    ...typesOnly.map((folder) => ({
      name: `${name}-types`,
      comment: `${comment} It may name the types of ${folder}, with \`import type\`.`,
      severity: 'error',
      from: { path: `${root}${from}`, pathNot: tests },
      to: { path: `${root}${folder}`, pathNot: to(allowed), dependencyTypesNot: ['type-import'] },
    })),
  ];
}

/** A layer may import these packages from npm and no other, and Node's own modules only when told. */
function libraries(name, comment, from, allowed, { builtins = false } = {}) {
  const rule = (suffix, to) => ({
    name: `${name}${suffix}`,
    comment,
    severity: 'error',
    from: { path: `${root}${from}`, pathNot: tests },
    to,
  });
  const packages = allowed.length === 0 ? {} : { pathNot: `/(?:@types/)?(?:${allowed.join('|')})/` };
  return [
    rule('', { path: '(?:^|/)node_modules/', ...packages }),
    ...(builtins ? [] : [rule('-no-node', { dependencyTypes: ['core'] })]),
  ];
}

const packages = ['packages/core/src/', 'packages/contract/src/'];

/** Each layer of the server may import itself and what lies below it. The programs at the root may import everything. */
function serverLayerRules() {
  const foldersOf = (layers) => layers.flatMap(({ folders }) => folders).join('|');
  const rules = serverLayers.slice(0, -1).flatMap(({ name, comment, folders }, index) =>
    layer(`server-${name}`, comment, `${serverRoot}/(?:${folders.join('|')})/`, [
      `${serverRoot}/(?:${foldersOf(serverLayers.slice(0, index + 1))})/`,
      ...packages,
      'packages/messages/src/',
      // The interface of a provider.
      'packages/provider-kit/(?:src|dist)/',
      '@opencashier/provider-kit',
      // Its version.
      'apps/server/package\\.json$',
    ]),
  );
  return [
    ...rules,
    {
      name: 'server-folders-have-a-layer',
      comment: 'A new folder of the server is named in tools/architecture/server-layers.mjs.',
      severity: 'error',
      from: {
        path: `${root}${serverRoot}/[^/]+/`,
        pathNot: [...tests, `${root}${serverRoot}/(?:${foldersOf(serverLayers)})/`],
      },
      to: {},
    },
  ];
}
const react = ['react', 'react-dom'];

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'all-imports-resolve',
      comment: 'A relative import carries the real extension; a package is named through its exports.',
      severity: 'error',
      from: {},
      // A virtual module of the build has no file. The packages of the React Native host are not installed here. A published
      // package has no files before its build; the compiler checks its imports.
      to: {
        couldNotResolve: true,
        pathNot: '^(?:virtual:|astro:|react-native(?:-webview)?$|@opencashier/(?:embed|provider-kit|server)(?:/|$))',
      },
    },
    {
      name: 'declared-packages',
      comment: 'A package that is not in the package.json of its workspace works only by accident.',
      severity: 'error',
      from: { path: `${root}(?:packages|apps)/[^/]+/src/`, pathNot: tests },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-dev', 'npm-peer', 'npm-optional'],
      },
    },
    {
      name: 'no-tools-in-production',
      comment:
        'What runs is a dependency; a devDependency may lend its types. The site is files alone: only its build runs.',
      severity: 'error',
      from: { path: `${root}(?:packages|apps)/[^/]+/src/`, pathNot: [...tests, `${root}apps/site/`] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'type-import'] },
    },
    {
      name: 'no-tests-in-production',
      comment: 'What a test needs never reaches a person.',
      severity: 'error',
      from: { path: `${root}(?:packages|apps)/[^/]+/src/`, pathNot: tests },
      to: { path: [...tests, `${root}(?:e2e|tools|scripts)/`] },
    },
    {
      name: 'doors-only',
      comment: 'A package is used by its exports: never by a relative path into its folder.',
      severity: 'error',
      from: { path: `${root}(packages|apps)/([^/]+)/` },
      // Stand-ins of companies, for acceptance tests of the server. They are in no archive.
      to: {
        path: code,
        pathNot: [`${root}$1/$2/`, `${root}packages/provider-[^/]+/src/testing/`],
        dependencyTypes: ['local'],
      },
    },

    ...layer('contract-is-a-leaf', 'Both sides depend on it.', 'packages/contract/src/', ['packages/contract/src/']),
    ...libraries('contract-libraries', 'The contract needs valibot and nothing else.', 'packages/contract/src/', [
      'valibot',
    ]),

    ...layer('core-is-pure', 'Rules know the shapes of the contract and nothing else.', 'packages/core/src/', packages),
    ...libraries(
      'core-libraries',
      'Rules are pure functions: no DOM, no Node, no React. What computes check sums and knows e-mail addresses is pure, too.',
      'packages/core/src/',
      ['@noble/hashes', '@scure/base', 'valibot'],
    ),

    ...layer('messages-is-a-leaf', 'Builds, checks and the server use it.', 'packages/messages/src/', [
      'packages/messages/src/',
    ]),
    ...libraries('messages-libraries', 'It reads ICU messages.', 'packages/messages/src/', ['@formatjs']),

    ...layer(
      'embed-is-tiny',
      'It is published alone, with copies of the types of the contract.',
      'packages/embed/src/',
      ['packages/embed/src/'],
    ),
    ...libraries('embed-libraries', 'The SDK has no dependency.', 'packages/embed/src/(?!react\\.tsx$|vue\\.ts$)', []),
    ...libraries('embed-react', 'The wrapper knows React and nothing else.', 'packages/embed/src/react\\.tsx$', react),
    ...libraries('embed-vue', 'The wrapper knows Vue and nothing else.', 'packages/embed/src/vue\\.ts$', ['vue']),

    ...layer(
      'server-sdk-is-alone',
      'It is published alone, with copies of the types of the contract.',
      'packages/server/src/',
      ['packages/server/src/'],
    ),
    ...libraries(
      'server-sdk-libraries',
      'The SDK for backends needs Node and nothing else.',
      'packages/server/src/',
      [],
      {
        builtins: true,
      },
    ),

    ...layer(
      'provider-kit-is-alone',
      'It is published alone, for providers in other repositories, with copies of the types of the contract.',
      'packages/provider-kit/src/',
      ['packages/provider-kit/src/'],
    ),
    ...libraries('provider-kit-libraries', 'The kit needs Node and nothing else.', 'packages/provider-kit/src/', [], {
      builtins: true,
    }),

    ...layer(
      'provider-packages-know-the-kit',
      'A provider of this repository is a package like those of others: it knows the kit, and no other provider.',
      'packages/provider-(?!kit/)([^/]+)/src/',
      ['packages/provider-$1/src/', 'packages/provider-kit/(?:src|dist)/', '@opencashier/provider-kit'],
    ),
    ...libraries(
      'provider-packages-libraries',
      'They run in a process without files and addons, so they need Node and the kit alone.',
      'packages/provider-(?!kit/)[^/]+/src/',
      ['@opencashier/provider-kit'],
      { builtins: true },
    ),

    ...layer('widget-is-an-island', 'The browser never loads the server, the demo or the SDK.', `${widget}/`, [
      `${widget}/`,
      ...packages,
    ]),
    {
      name: 'widget-no-node',
      comment: 'The widget runs in a browser.',
      severity: 'error',
      from: { path: `${root}${widget}/`, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    ...layer('ui-knows-no-domain', 'A button must not know a deposit.', `${widget}/ui/`, [`${widget}/ui/`]),
    ...libraries('ui-libraries', 'React, and what draws codes and masks fields.', `${widget}/ui/`, [
      ...react,
      'uqr',
      '@maskito',
    ]),
    ...layer('host-is-a-bridge', 'The widget side of the bridge knows messages, not screens.', `${widget}/host/`, [
      `${widget}/host/`,
      ...packages,
    ]),
    ...layer('api-is-a-client', 'A transport knows the contract, not screens.', `${widget}/api/`, [
      `${widget}/api/`,
      ...packages,
    ]),
    ...layer('kit-below-flows', 'Shared blocks never know a flow.', `${widget}/kit/`, [
      `${widget}/kit/`,
      `${widget}/ui/`,
      // The typed client, its requests and its cache. A block does not know which transport carries a call.
      `${widget}/api/(?!(?:[^/]*transport|create-client|server-client|retry|token-renewal|call-failure|request-group)\\.ts$)`,
      ...packages,
    ]),
    ...layer('flows-are-islands', 'Two flows share through kit, never with each other.', `${widget}/flows/([^/]+)/`, [
      `${widget}/flows/$1/`,
      `${widget}/kit/`,
      `${widget}/ui/`,
      ...packages,
    ]),
    ...layer('screens-below-products', 'A screen serves every product.', `${widget}/screens/`, [
      `${widget}/screens/`,
      `${widget}/kit/`,
      `${widget}/ui/`,
      ...packages,
    ]),
    ...layer(
      'products-are-data',
      'A product lists flows and screens.',
      `${widget}/products/`,
      [`${widget}/products/`, `${widget}/flows/`, `${widget}/screens/`],
      { typesOnly: [`${widget}/kit/`, 'packages/core/src/', 'packages/contract/src/'] },
    ),
    {
      name: 'flow-by-its-door',
      comment: 'Outside its folder a flow is its flow.ts (or balance-flow.ts): screens are loaded lazily from there.',
      severity: 'error',
      from: { path: `${root}${widget}/(?!flows/)`, pathNot: tests },
      to: { path: `${root}${widget}/flows/`, pathNot: ['/(?:balance-)?flow\\.ts$', '\\.json$', '/flows/[^/]+$'] },
    },

    ...layer('server-is-an-island', 'The server knows the contract and the rules.', 'apps/server/', [
      'apps/server/',
      ...packages,
      'packages/messages/src/',
      'packages/provider-kit/(?:src|dist)/',
      '@opencashier/provider-kit',
    ]),
    {
      name: 'server-has-no-react',
      comment: 'Node must not load the screen.',
      severity: 'error',
      from: { path: `${root}apps/server/` },
      to: { path: '(?:^|/)node_modules/(?:@types/)?react' },
    },
    ...layer('ledger-knows-only-money', 'Money rules outlive payments and providers.', 'apps/server/src/ledger/', [
      'apps/server/src/ledger/',
      'apps/server/src/database/',
      'packages/core/src/',
    ]),
    ...libraries(
      'ledger-libraries',
      'The ledger reaches the database through its own room.',
      'apps/server/src/ledger/',
      [],
      {
        builtins: true,
      },
    ),
    {
      name: 'providers-are-islands',
      comment: 'A provider never knows another provider; what they share lies beside their folders.',
      severity: 'error',
      from: { path: `${root}apps/server/src/providers/([^/]+)/` },
      to: { path: `${root}apps/server/src/providers/[^/]+/`, pathNot: `${root}apps/server/src/providers/$1/` },
    },

    {
      name: 'providers-by-their-interface',
      comment: 'Only the programs know which providers there are; everything else knows providers/provider.ts.',
      severity: 'error',
      from: {
        path: `${root}${serverRoot}/[^/]+/`,
        pathNot: [...tests, `${root}${serverRoot}/(?:providers|assembly|cli|config)/`],
      },
      to: { path: `${root}${serverRoot}/providers/[^/]+/` },
    },
    ...serverLayerRules(),

    ...layer(
      'site-is-a-page',
      'The documentation site reads docs/, and embeds the cashier as any page does.',
      'apps/site/',
      ['apps/site/', 'packages/embed/', '@opencashier/embed$'],
    ),
    ...layer(
      'demo-is-an-operator',
      'The demo has what any operator has: the SDKs, the public API and the examples.',
      'apps/demo/',
      ['apps/demo/', 'packages/(embed|server)/dist/', '@opencashier/(embed|server)$'],
    ),

    {
      name: 'tests-stay-in-their-app',
      comment: 'Journeys across apps live in e2e.',
      severity: 'error',
      from: { path: `${root}apps/([^/]+)/.+\\.test\\.tsx?$` },
      to: { path: `${root}apps/`, pathNot: `${root}apps/$1/` },
    },
    {
      name: 'journeys-use-the-front-door',
      comment: 'A journey runs against what a person gets, so it imports no source of an app.',
      severity: 'error',
      from: { path: `${root}e2e/` },
      to: { path: `${root}apps/` },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['(?:^|/)node_modules/', '^packages/(?:embed|provider-kit|server)/dist/'] },
    exclude: {
      path: [
        '^(?:packages/(?!(?:embed|provider-kit|server)/)|apps/)[^/]+/(?:dist|\\.astro|\\.cache)/',
        '^tools/architecture/canary/',
      ],
    },
    // No extension is guessed: `./money` fails and `./money.ts` resolves, as Node itself would have it.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'module', 'node', 'browser', 'default'],
      extensions: ['.js'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
