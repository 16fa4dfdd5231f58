import type { MethodList } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices } from '../../kit/session/services-fixture.ts';
import { listSections } from './list-view.ts';

const { session } = createFixtureServices({});
const texts = createTexts();

function createTexts() {
  const translate = (key: string) => key;
  return { translate, has: () => true, pick: (text: Record<string, string> = {}) => text['en'] ?? '' };
}

test('[UI-3] no two sections of a list have one name, and no method is lost, however the operator sorts its groups', () => {
  const [method] = indiaCatalogue.methods;
  if (method === undefined) throw new Error('The catalogue is empty');
  const group = fc.record({ label: fc.constantFrom('Cards', 'cards', 'Bank transfer'), isTile: fc.boolean() });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 8 }), (groups) => {
      const list: MethodList = {
        ...indiaCatalogue,
        methods: groups.map((_, at) => ({ ...method, name: `m${at}` })),
        groups: groups.map(({ label, isTile }, at) => ({
          name: `g${at}`,
          label: { en: label },
          paymentMethods: [`m${at}`],
          position: at,
          display: isTile ? 'tile' : 'list',
        })),
      };
      const sections = listSections(list, session.getState(), {
        ...texts,
        locale: 'en',
        formatLocale: 'en',
        direction: 'ltr',
      });
      const titles = sections.map(({ title }) => title?.toLowerCase());
      expect(new Set(titles).size).toBe(titles.length);
      expect(sections.flatMap(({ tiles }) => tiles)).toHaveLength(groups.length);
    }),
  );
});
