/**
 * Which sample of the documents runs where: `npm run examples` executes each one (scripts/samples). A sample that cannot be executed says
 * why behind its language, `not executed: …`; it is checked for its types or its syntax then. fences.test.ts finds a sample that does neither.
 *
 * `has` is a part of the sample that no other sample of its document has. `in` is the program that executes it:
 *
 * - `server`: Node, with the published package of the server, beside a cashier in its sandbox
 * - `page`: a page in Chromium that a bundler has built
 * - `markup`: the same, as it is
 * - `cashier`: the page of the cashier itself, as in a web view
 */
export const samples = [
  { id: 'backend', document: 'packages/server/README.md', has: 'creditOnce', in: 'server' },
  { id: 'wallet', document: 'packages/server/README.md', has: 'handleWalletCall', in: 'server' },
  { id: 'bonuses', document: 'packages/server/README.md', has: 'handleBonusCall', in: 'server' },
  { id: 'token', document: 'docs/integrate.md', has: 'client.createUserToken', in: 'server' },
  { id: 'webhook', document: 'docs/integrate.md', has: 'verifyWebhook', in: 'server' },
  { id: 'control', document: 'docs/sandbox.md', has: '/sandbox/payments', in: 'server' },
  { id: 'guide-session', document: 'docs/first-deposit.md', has: 'function currentUser', in: 'server' },
  { id: 'guide-book', document: 'docs/first-deposit.md', has: 'function balanceInCents', in: 'server' },
  { id: 'guide-token', document: 'docs/first-deposit.md', has: 'createOperatorClient', in: 'server' },
  { id: 'guide-webhook', document: 'docs/first-deposit.md', has: 'verifyWebhook', in: 'server' },
  { id: 'guide-balance', document: 'docs/first-deposit.md', has: 'Response.json', in: 'server' },
  { id: 'guide-account', document: 'docs/first-deposit.md', has: 'function Account', in: 'page' },
  { id: 'create', document: 'README.md', has: 'createCashier', in: 'page' },
  { id: 'create', document: 'packages/embed/README.md', has: 'createCashier', in: 'page' },
  { id: 'create', document: 'docs/integrate.md', has: 'onClose: () => refreshBalance()', in: 'page' },
  { id: 'preload', document: 'docs/integrate.md', has: "'pointerenter'", in: 'page' },
  { id: 'outcome', document: 'docs/integrate.md', has: 'cashier.deposit(', in: 'page' },
  { id: 'looks', document: 'docs/integrate.md', has: 'darkVariables', in: 'page' },
  { id: 'appearance', document: 'docs/integrate.md', has: 'cashier.updateAppearance', in: 'page' },
  { id: 'react', document: 'docs/integrate.md', has: '<Cashier cashierUrl', in: 'page' },
  { id: 'pop-up', document: 'docs/integrate.md', has: 'popup = window.open', in: 'page' },
  { id: 'element', document: 'docs/integrate.md', has: 'cashier.getToken = async', in: 'markup' },
  { id: 'bare-element', document: 'packages/embed/README.md', has: '<open-cashier cashier-url', in: 'markup' },
  { id: 'web-view', document: 'docs/integrate.md', has: 'window.cashierPayload = { token', in: 'cashier' },
];
