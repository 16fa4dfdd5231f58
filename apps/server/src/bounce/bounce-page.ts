/** `/{product}/bounce/{token}`: a page that posts one provider's form, by itself or at the press of its button. */
import type { FastifyPluginAsync } from 'fastify';
import type { Operators } from '../operators/operators.ts';
import { pageHeaders } from '../pages/content-security-policy.ts';
import { escapeHtml, pageTexts, plainPage, plainPageStyle } from '../pages/plain-page.ts';
import { type Bounce, type BouncedForm, bouncePath } from './bounce.ts';
import submitScript from './submit.js?raw';

export interface BouncePageOptions {
  readonly bounce: Pick<Bounce, 'take'>;
  readonly operators: Pick<Operators, 'byId'>;
  readonly publicUrl: string;
  readonly product: string;
}

const scriptName = 'submit.js';
/** One answer for a used, an expired and an unknown token, so that a stranger learns nothing from it. */
const HTTP_GONE = 410;

export function bouncePage({ bounce, operators, publicUrl, product }: BouncePageOptions): FastifyPluginAsync {
  const base = bouncePath(product);
  const headers = { ...pageHeaders(publicUrl), 'cache-control': 'no-store' };
  const onward = onwardSources(publicUrl);
  return async (app) => {
    app.get(`${base}/${scriptName}`, async (_request, reply) =>
      reply
        .headers({ ...headers, 'cache-control': 'no-cache' })
        .type('text/javascript; charset=utf-8')
        .send(submitScript),
    );

    // A preview of links sends HEAD. It must not use up the address.
    app.head(`${base}/:token`, async (_request, reply) =>
      reply.headers(headers).type('text/html; charset=utf-8').send(),
    );

    app.get<{ Params: { token: string } }>(`${base}/:token`, async (request, reply) => {
      const form = await bounce.take(request.params.token);
      reply.headers(headers).type('text/html; charset=utf-8');
      if (form === undefined) {
        const texts = pageTexts(request.headers['accept-language']);
        return reply
          .code(HTTP_GONE)
          .header('content-security-policy', policy({ form: "'none'", ancestors: ["'none'"] }))
          .send(plainPage({ texts, title: texts.goneTitle, text: texts.goneText }));
      }
      const ancestors = operators.byId(form.operatorId)?.allowedOrigins ?? [];
      return reply
        .header(
          'content-security-policy',
          // Without a new window this page replaces the widget in the operator's frame, so the operator may frame it.
          policy({ form: [new URL(form.action).origin, ...onward].join(' '), ancestors: ["'self'", ...ancestors] }),
        )
        .send(formPage(form, `${base}/${scriptName}`));
    });
  };
}

/**
 * Where a provider may redirect to after the post. A browser checks every redirect against `form-action`, and nobody knows the
 * bank's or the acquirer's site beforehand, so every https site is allowed. That is safe here: the server wrote the one form of
 * this page, nobody types into it, and its only script posts it.
 */
function onwardSources(publicUrl: string): readonly string[] {
  const isDevelopment = publicUrl.startsWith('http:');
  return ['https:', ...(isDevelopment ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])];
}

function policy({ form, ancestors }: { readonly form: string; readonly ancestors: readonly string[] }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${plainPageStyle}`,
    `form-action ${form}`,
    `frame-ancestors ${ancestors.join(' ')}`,
    "base-uri 'none'",
  ].join('; ');
}

function formPage({ action, fields, language }: BouncedForm, script: string): string {
  const texts = pageTexts(language);
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n');
  const content = `<form method="post" action="${escapeHtml(action)}">
${inputs}
<button>${escapeHtml(texts.goingButton)}</button>
</form>
<script src="${script}"></script>`;
  return plainPage({ texts, title: texts.goingTitle, text: texts.goingText, content });
}
