/** HTML as strings. Values in a template are escaped, unless they are HTML themselves. */

export interface Html {
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Fills a template. Texts are safe as the content of an element and inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (typeof value === 'string') return escapeText(value);
    return 'html' in value ? value.html : value.map((one) => one.html).join('');
  });
  return { html: String.raw({ raw: parts }, ...texts) };
}

export const nothing: Html = { html: '' };
