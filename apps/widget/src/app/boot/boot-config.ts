/** The operator's settings for the page that embeds us. The server writes them into index.html in place of `<!--boot-config-->`. */
import * as v from 'valibot';

const bootConfigSchema = v.object({
  /** The operator's public name. */
  partner: v.optional(v.string(), ''),
  /** Origins of the operator's pages; a host is compared with them letter by letter (HOST-7). */
  allowedOrigins: v.optional(v.array(v.string()), []),
  /** Whether the operator's settings allow the console hooks (HOST-10). */
  debug: v.optional(v.boolean(), false),
  /** Where the operator's own texts are: `texts/acme/7-3f9a1c2b`. Absent: it has none. */
  texts: v.optional(v.string()),
});
export type BootConfig = v.InferOutput<typeof bootConfigSchema>;

/**
 * Reads the configuration. When it is missing or unreadable, no origin is allowed and debugging is off. The widget then shows
 * its error page, because it must not trust an unknown host.
 */
export function readBootConfig(document: Pick<Document, 'getElementById'>): BootConfig {
  const text = document.getElementById('boot-config')?.textContent ?? '{}';
  try {
    const parsed = v.safeParse(bootConfigSchema, JSON.parse(text));
    if (parsed.success) return parsed.output;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  console.warn('The boot configuration of this page cannot be read.');
  return { partner: '', allowedOrigins: [], debug: false };
}
