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
/** Used, expired and never made look alike from outside. */
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

    // Whoever only looks, such as a preview of links, must not use up the address.
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
          // In the same window the widget may stand in the operator's frame, and this page takes its place there.
          policy({ form: [new URL(form.action).origin, ...onward].join(' '), ancestors: ["'self'", ...ancestors] }),
        )
        .send(formPage(form, `${base}/${scriptName}`));
    });
  };
}

/**
 * Where a provider may lead on to after the post: a browser holds every redirect against `form-action`, and providers hand over
 * to a bank's or an acquirer's site that nobody knows beforehand. This page can afford it: it holds one form, which the server
 * wrote whole, nothing that a person types, and no script but the one that posts it.
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
