import { describe, expect, test } from 'vitest';
import { allowedVideoOrigins, guideOf } from './model.ts';

const allowed = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com', 'https://cdn.example'];

describe('[DEP-13] a guide', () => {
  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://m.youtube.com/watch?list=a&v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ?si=x', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://cdn.example/player?id=1', 'https://cdn.example/player?id=1'],
  ])('%s is shown by its player', (link, src) => {
    expect(guideOf(link, allowed)).toMatchObject({ kind: 'player', src });
  });

  test('that is a file is played by the browser', () => {
    expect(guideOf('https://cdn.example/guide.MP4?x=1', allowed)).toMatchObject({ kind: 'file' });
  });

  test.each([
    ['https://other.example/guide', 'https://other.example/guide'],
    ['https://www.youtube.com/@channel', 'https://www.youtube.com/@channel'],
    ['https://evil.example/?https://youtu.be/dQw4w9WgXcQ', 'https://evil.example/?https://youtu.be/dQw4w9WgXcQ'],
  ])('of a site that is not allowed stays a link: %s', (link, href) => {
    expect(guideOf(link, allowed)).toEqual({ kind: 'link', href });
  });

  test('of an allowed site is a link where the server allows none', () => {
    expect(guideOf('https://youtu.be/dQw4w9WgXcQ', [])).toMatchObject({ kind: 'link' });
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '//cdn.example/x', 'http://cdn.example/x', '', undefined])(
    '[FORM-9] that is no web address is none: %s',
    (link) => {
      expect(guideOf(link, allowed)).toBeUndefined();
    },
  );
});

test.each([
  ['{"videoOrigins":["https://a.example",7]}', ['https://a.example']],
  ['{"videoOrigins":"https://a.example"}', []],
  ['{}', []],
  ['null', []],
  ['{', []],
])('the settings of the page are read with care: %s', (textContent, origins) => {
  expect(allowedVideoOrigins({ getElementById: () => ({ textContent }) as HTMLElement })).toEqual(origins);
});
