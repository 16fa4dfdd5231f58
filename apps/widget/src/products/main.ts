import { answerPath, flowOfMethod, flows } from '../flows/registry.ts';
import type { Product } from '../kit/session/product.ts';
import { depositTree } from './deposit-tree.ts';
import { sharedRoutes } from './shared-routes.ts';

/** The address of a method, below its list or below its group (LIST-4). */
export const methodPath: Product['methodPath'] = (tree, method, group) => {
  const entry = flowOfMethod(method).entry.replace(':method', encodeURIComponent(method.name));
  return group !== undefined && entry.startsWith('redirect/')
    ? `${tree}/group/${encodeURIComponent(group)}/${entry}`
    : `${tree}/${entry}`;
};

/** The address of a group: the list of its flow when the flow has one, else the general list of groups. */
export const groupPath: Product['groupPath'] = (tree, name) => {
  const own = flows.find(({ group }) => group?.name === name)?.group;
  return `${tree}/${own?.path ?? `group/${encodeURIComponent(name)}`}`;
};

/** Deposits and withdrawals. */
export const mainProduct: Product = {
  name: 'main',
  home: '/',
  unknown: '/',
  list: '/deposit',
  redirections: [{ path: '/', to: '/deposit' }],
  routes: [...depositTree('/deposit'), ...sharedRoutes],
  // Only a person who goes to the withdrawals loads them.
  branches: [
    { path: '/withdrawal', load: async () => (await import('./withdrawal-tree.ts')).withdrawalTree('/withdrawal') },
  ],
  methodPath,
  flowOf: (method) => flowOfMethod(method),
  groupPath,
  answerPath,
};
