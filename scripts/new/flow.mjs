/**
 * `npm run new:flow -- <name>`: makes a flow that builds, shows and is tested, and a sandbox method that opens it. It begins as
 * a form that creates a deposit, in words that every language has. docs/add-a-flow.md explains the next steps.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../machine/paths.mjs';
import { addAfter, checkName, GeneratorError, writeFiles } from './names.mjs';

const flows = 'apps/widget/src/flows';
const methods = 'apps/server/src/catalogue/data/methods';
const walks = 'e2e/accessibility/screens.ts';
/** View types below this one have a meaning in the contract (`cardViewTypes`). */
const firstFree = 21;

const [name] = process.argv.slice(2);
try {
  checkName(name, 'flow', flows);
  // Names of methods must differ in all files, and a real method may have the flow's name.
  const method = `sandbox_${name.replaceAll('-', '_')}`;
  const viewType = freeViewType();
  writeFiles({
    [`${flows}/${name}/flow.ts`]: flow(name, viewType),
    [`${flows}/${name}/${name}-screen.tsx`]: screen(),
    [`${flows}/${name}/${name}-screen.test.tsx`]: screenTest(name, viewType),
    [`${flows}/${name}/${name}-states-fixture.ts`]: states(name, viewType),
    [`${methods}/${name}.json`]: methodFile(method, viewType),
  });
  addAfter(
    walks,
    'const depositFlowsWithoutBox',
    `  { route: '${name}/:method?', path: '${name}/${method}', ready: 'button[type=submit]' },\n`,
  );
  console.log(`
See it: npm start, then the demo's "${method}" in India. Test it: npx vitest run ${flows}/${name}
Next: read docs/add-a-flow.md.`);
} catch (error) {
  if (!(error instanceof GeneratorError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

/** The first view type that no flow and no method has. */
function freeViewType() {
  const folders = readdirSync(join(root, flows), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const taken = folders.flatMap(({ name: folder }) => {
    const text = readdirSync(join(root, flows, folder)).includes('flow.ts')
      ? readFileSync(join(root, flows, folder, 'flow.ts'), 'utf8')
      : '';
    return (/cardViewTypes: \[([\d, ]*)\]/.exec(text)?.[1] ?? '').split(',').map(Number);
  });
  return Math.max(firstFree - 1, ...taken) + 1;
}

function flow(name, viewType) {
  return `/** What a person goes through with this flow. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: '${name}',
  cardViewTypes: [${viewType}],
  entry: '${name}/:method',
  routes: [{ path: '${name}/:method?', title: 'title.deposit', screen: () => import('./${name}-screen.tsx') }],
};
`;
}

function screen() {
  return `import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/** The amount, the method's own fields and the button that creates the deposit. */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  if (!method) return null;
  return <DepositForm method={method} note={translate('redirect.note')} />;
}
`;
}

function screenTest(name, viewType) {
  return `// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentMethod, paymentServices } from '../../kit/payment/payment-fixture.ts';

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open');
  localStorage.clear();
  sessionStorage.clear();
});

test('the amount leads to what the provider answers', async () => {
  const services = paymentServices({}, { method: paymentMethod({ cardViewType: ${viewType} }) });
  const { address, pass } = await openWidget('/deposit/${name}/bank_card', services);
  await userEvent.setup().type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await userEvent.setup().click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(address()).toContain(\`depositId=\${paymentId}\`);
});
`;
}

function states(name, viewType) {
  return `/** How the gallery shows this flow. */
import { statesOf, type WidgetState } from '../../../gallery/state.ts';
import { paymentMethod, paymentServices } from '../../kit/payment/payment-fixture.ts';

export const states: readonly WidgetState[] = statesOf<WidgetState>('flows/${name}', {
  ready: {
    at: '/deposit/${name}/bank_card',
    services: () => paymentServices({}, { method: paymentMethod({ cardViewType: ${viewType} }) }),
  },
});
`;
}

/** Its title and its group are those of another method, so that no language lacks a word. Change them first. */
function methodFile(method, viewType) {
  return `[
  {
    "name": "${method}",
    "group": "card_method",
    "provider": "sandbox",
    "providerOptions": { "flow": "redirect" },
    "directions": ["deposit"],
    "countries": ["IN"],
    "category": "fiat",
    "cardViewType": ${viewType},
    "text": {
      "en": "Bank card",
      "ar": "بطاقة بنكية"
    },
    "position": 5000,
    "iconIds": ["card"],
    "amount_rules": {
      "INR": {
        "min": "500",
        "max": "100000"
      }
    },
    "fields": []
  }
]
`;
}
