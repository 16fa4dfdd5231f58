import { expect, test } from 'vitest';
import { svgFault } from './safe-svg.ts';

const around = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${inner}</svg>`;

test.each([
  '<path d="M0 0h8v8z" fill="#123"/>',
  '<g transform="scale(2)"><rect x="1" y="1" width="2" height="2"/></g>',
  '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><circle r="2" fill="url(#a)"/>',
  '<title>Acme &amp; Co</title>',
])('[SRV-9] a plain drawing is safe: %s', (inner) => {
  expect(svgFault(around(inner))).toBeUndefined();
});

test.each([
  '<script>alert(1)</script>',
  '<foreignObject/>',
  '<image href="https://evil.example/x.png"/>',
  '<use href="#a"/>',
  '<a/>',
  '<style>*{}</style>',
  '<circle r="2" style="fill:red"/>',
  '<circle r="2" onclick="alert(1)"/>',
  '<circle r="2" fill="url(https://evil.example)"/>',
  '<circle r="2" fill=red/>',
  '<!-- comment -->',
  '<![CDATA[x]]>',
  '<?xml version="1.0"?>',
  '&evil;',
  '<g>',
  '</g>',
  '<animate/>',
])('[SRV-9] anything else is refused: %s', (inner) => {
  expect(svgFault(around(inner))).toBeTruthy();
});

test.each(['', 'text', '<svg/>text', '<svg/><svg/>', '<!DOCTYPE svg><svg/>', '<svg xmlns="http://evil.example"/>'])(
  '[SRV-9] a file that is not one drawing is refused: %s',
  (svg) => {
    expect(svgFault(svg)).toBeTruthy();
  },
);
