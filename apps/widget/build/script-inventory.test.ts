import { expect, test } from 'vitest';
import { purposeOf } from './script-inventory.ts';

const chunk = { name: 'some', isEntry: false, facadeModuleId: null };
const source = '/anywhere/apps/widget/src';

test.each([
  [{ ...chunk, isEntry: true }, 'start: '],
  [{ ...chunk, name: 'react' }, 'library that draws the screens (React)'],
  [{ ...chunk, facadeModuleId: `${source}/flows/redirect/flow.ts` }, 'way to pay: redirect'],
  [{ ...chunk, facadeModuleId: `${source}/screens/complete/complete.tsx` }, 'screen: complete'],
  [
    { ...chunk, facadeModuleId: `${source}/kit/captcha/run-captcha.tsx` },
    'part of the widget: kit/captcha/run-captcha',
  ],
  [{ ...chunk, facadeModuleId: '/a/node_modules/b/node_modules/@maskito/core/index.js' }, 'library: @maskito/core'],
  [{ ...chunk, name: 'shared' }, 'code that several screens share'],
])('the purpose of %o is “%s…”', (from, purpose) => {
  expect(purposeOf(from)).toContain(purpose);
});
