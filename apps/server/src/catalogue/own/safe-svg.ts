/**
 * Whether a drawing can be shown to every user of an operator. An icon is loaded as an image, where scripts never run. These rules
 * hold where somebody opens its address as a page, too. Only names on the lists pass, so nothing new is dangerous.
 */

const elements = new Set(
  'svg g path circle rect ellipse line polyline polygon text tspan title desc defs clipPath mask linearGradient radialGradient stop'.split(
    ' ',
  ),
);
const attributes = new Set(
  (
    'xmlns viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points dx dy id fill fill-rule fill-opacity stroke stroke-width ' +
    'stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity opacity transform clip-path ' +
    'clip-rule mask offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits ' +
    'maskContentUnits preserveAspectRatio font-family font-size font-weight text-anchor role aria-hidden aria-label version'
  ).split(' '),
);

const tag = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /([A-Za-z:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const plainText = /[^<]+/y;
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)/;
/** `url(…)` may only name a part of the same drawing. */
const foreignAddress = /url\(\s*(?!#)|javascript:|data:|https?:/i;
const svgNamespace = 'http://www.w3.org/2000/svg';

/** @returns what is wrong, in a sentence; undefined for a safe drawing */
export function svgFault(svg: string): string | undefined {
  const text = svg.trim();
  if (!text.startsWith('<svg')) return 'Expected a drawing that begins with <svg.';
  if (entity.test(text)) return 'Entities other than &amp;, &lt;, &gt; and numbers are not allowed.';
  const open: string[] = [];
  for (let at = 0; at < text.length; ) {
    plainText.lastIndex = at;
    const words = plainText.exec(text);
    if (words !== null) {
      if (open.length === 0) return 'Expected nothing after the end of <svg>.';
      at = plainText.lastIndex;
      continue;
    }
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (found === null)
      return `The drawing cannot be read at character ${at + 1}. Comments and declarations are not allowed.`;
    if (open.length === 0 && at > 0) return 'Expected one <svg>.';
    const fault = tagFault(found, open);
    if (fault !== undefined) return fault;
    at = tag.lastIndex;
  }
  return open.length === 0 ? undefined : `<${open.at(-1)}> is not closed.`;
}

/** Follows one tag. Changes `open`, the names of the elements that contain the next tag. */
function tagFault([, isEnd, name = '', written = '', isEmpty]: RegExpExecArray, open: string[]): string | undefined {
  if (!elements.has(name)) return `<${name}> is not allowed in an icon.`;
  if (isEnd) return open.pop() === name ? undefined : `</${name}> closes another element.`;
  for (const [, key = '', double, single] of written.matchAll(attribute)) {
    const value = double ?? single ?? '';
    if (!attributes.has(key)) return `The attribute ${key} is not allowed in an icon.`;
    if (key === 'xmlns' ? value !== svgNamespace : foreignAddress.test(value)) {
      return `The attribute ${key} has an address, which is not allowed in an icon.`;
    }
  }
  if (!isEmpty) open.push(name);
  return undefined;
}
