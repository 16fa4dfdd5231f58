import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../errors/config-error.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';

const policyWith = (videoOrigins?: string[]) =>
  contentSecurityPolicy({
    hashes: { scripts: [], styles: [] },
    frameAncestors: [],
    publicUrl: 'https://cashier.example',
    ...(videoOrigins && { videoOrigins }),
  }).split('; ');

describe('[DEP-13] [SRV-9] video guides', () => {
  test('none may be embedded unless the operator says which sites', () => {
    expect(policyWith()).toContain("frame-src 'self'");
    expect(policyWith().some((directive) => directive.startsWith('media-src'))).toBe(false);
  });

  test('the sites of the settings may be framed and played, and no others', () => {
    const { videoOrigins } = readConfig({ VIDEO_ORIGINS: 'https://player.vimeo.com, https://cdn.example' });
    expect(policyWith([...videoOrigins])).toEqual(
      expect.arrayContaining([
        "frame-src 'self' https://player.vimeo.com https://cdn.example",
        'media-src https://player.vimeo.com https://cdn.example',
      ]),
    );
  });

  test.each(['https://player.vimeo.com/video', '*', "https://a.example; script-src 'unsafe-inline'", 'data:'])(
    '%s is no site',
    (VIDEO_ORIGINS) => {
      expect(() => readConfig({ VIDEO_ORIGINS })).toThrow(ConfigError);
    },
  );
});
