/** The withdrawal screens of §2 below one address: /withdrawal in main, /cryptobalance/withdrawal in crypto-balance. */
import { flow as videoFlow } from '../flows/video/flow.ts';
import { withdrawalFlowOf, withdrawalFlows } from '../flows/withdrawals.ts';
import type { BackRoute, LoadScreen, RouteDefinition, Tree } from '../kit/session/product.ts';
import { Screen as WithdrawalList } from '../screens/withdrawal-list/withdrawal-list.tsx';

const form: LoadScreen = () => import('../screens/withdrawal/withdrawal.tsx');

export function withdrawalTree(tree: string): Tree {
  const back: BackRoute = { kind: 'history', page: tree };
  const route = (path: string, screen: LoadScreen, more: Partial<RouteDefinition> = {}): RouteDefinition => ({
    tree,
    direction: 'withdrawal',
    path: `${tree}/${path}`,
    title: 'title.withdrawals',
    step: 'step.details',
    back,
    screen,
    ...(path.includes(':method') ? { needs: 'method' } : {}),
    ...more,
  });
  const list = { tree, direction: 'withdrawal', title: 'title.withdrawalMethod' } as const;
  return {
    routes: [
      { ...list, path: tree, screen: { Screen: WithdrawalList } },
      {
        ...list,
        path: `${tree}/region`,
        screen: { Screen: WithdrawalList },
        sheet: { over: tree, screen: () => import('../screens/region/region.tsx') },
      },
      {
        ...list,
        path: `${tree}/group/:group`,
        back,
        needs: 'group',
        screen: () => import('../screens/group/group.tsx'),
      },
      route('redirect/:method?', form),
      route('group/:group/redirect/:method?', form),
      route(
        'redirect/:method/instruction',
        () => import('../screens/withdrawal-instruction/withdrawal-instruction.tsx'),
        { step: 'withdrawalInstruction.howTo' },
      ),
      ...[...withdrawalFlows, videoFlow].flatMap(({ routes }) =>
        routes.map(({ path, screen, ...more }) => route(path, screen, more)),
      ),
      route('confirm', () => import('../screens/confirm/confirm.tsx'), { step: 'confirm.confirm' }),
      route('complete', () => import('../screens/withdrawal-complete/withdrawal-complete.tsx'), {
        step: 'step.status',
        back: { kind: 'page', page: tree },
      }),
    ],
    methodPath(at, method, group) {
      const name = encodeURIComponent(method.name);
      const own = withdrawalFlowOf(method)?.entry.replace(':method', name);
      if (own !== undefined) return `${at}/${own}`;
      return `${at}${group === undefined ? '' : `/group/${encodeURIComponent(group)}`}/redirect/${name}`;
    },
    flowOf: (method) => withdrawalFlowOf(method),
    groupPath: (at, name) => `${at}/group/${encodeURIComponent(name)}`,
  };
}
