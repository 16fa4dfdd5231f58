import * as v from 'valibot';
import { expect, test } from 'vitest';
import { appearanceSchema } from './payload.ts';

const src = 'https://play.example/a.svg';

test.each(['\r', '\f', '\n', '\0', '\u0085'])(
  '[UI-9] an appearance with the control character %j is refused',
  (sign) => {
    const accepts = (look: object) => v.safeParse(appearanceSchema, look).success;
    expect(accepts({ logo: { src, name: 'Play' }, fonts: [{ family: 'Play', src }] })).toBe(true);
    expect(accepts({ logo: { src, name: `Play${sign}` } })).toBe(false);
    expect(accepts({ logo: { src: `${src}${sign}`, name: 'Play' } })).toBe(false);
    expect(accepts({ fonts: [{ family: 'Play', src: `${src}${sign}` }] })).toBe(false);
    expect(accepts({ fonts: [{ family: `Play${sign}`, src }] })).toBe(false);
  },
);
