import { answerPath, defaultFlow, flowOfMethod, flows } from '../flows/registry.ts';
import type { Product } from '../kit/session/product.ts';
import { depositTree } from './deposit-tree.ts';
import { sharedRoutes } from './shared-routes.ts';

/** Where a method's card leads, below the list it stands in or below its group (LIST-4). */
export const methodPath: Product['methodPath'] = (tree, method, group) => {
  const entry = flowOfMethod(method).entry.replace(':method', encodeURIComponent(method.name));
  return group !== undefined && entry.startsWith('redirect/')
    ? `${tree}/group/${encodeURIComponent(group)}/${entry}`
    : `${tree}/${entry}`;
};

/** Where a group's tile leads: a flow's own list of it, else the list of groups. */
export const groupPath: Product['groupPath'] = (tree, name) => {
  const own = flows.find(({ group }) => group?.name === name)?.group;
  return `${tree}/${own?.path ?? `group/${encodeURIComponent(name)}`}`;
};

/** The page that most cards open. A file that cannot be had now is asked for again when its page is opened. */
export const preload: Product['preload'] = () => {
  defaultFlow.routes[0]?.screen().catch((error: unknown) => console.warn('A page could not be loaded ahead.', error));
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
  preload,
  methodPath,
  groupPath,
  answerPath,
};
