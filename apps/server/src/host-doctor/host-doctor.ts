/**
 * `/doctor`: finds what keeps the cashier from working in a host's page. `GET /doctor?partner=…` is a page for people. `POST /doctor`
 * takes the same form with a token, and answers the SDK in JSON. The page fetches the widget's page and asks `POST /doctor/answer`
 * whether a proxy changed the headers. A token is sent only in the body, and nothing is stored.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../dispatch/api-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import { pageHeaders } from '../pages/content-security-policy.ts';
import { doctorPage, doctorPageScript, doctorPageStyle } from './doctor-page.ts';
import { examineAnswer } from './examine-answer.ts';
import { examineHost, type Finding, type HostFacts } from './examine-host.ts';

export interface HostDoctorOptions {
  readonly operators: Pick<Operators, 'byPartnerKey'>;
  readonly tokens: Pick<UserTokens, 'identify'>;
  readonly limiter: Pick<RateLimiter, 'take'>;
  readonly publicUrl: string;
  readonly product: string;
}

export const hostDoctorPath = '/doctor';
/** Examines the headers that a browser got with the widget's page. Only the doctor's own page calls it. */
export const answerDoctorPath = '/doctor/answer';
/** Requests of one address in a minute. */
export const questionsPerMinute = 30;
const bodyLimitBytes = 32 * 1024;
const longest = { partner: 200, origin: 300, userId: 2048, token: 8192, policy: 8192 };
const mostAncestors = 10;

export function registerHostDoctor(server: FastifyInstance, options: HostDoctorOptions): void {
  const { publicUrl, product } = options;
  const headers = {
    ...pageHeaders(publicUrl),
    'content-security-policy': `default-src 'none'; script-src ${doctorPageScript}; style-src ${doctorPageStyle}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'cache-control': 'no-store',
  };
  const examine = async (fields: URLSearchParams): Promise<{ facts: HostFacts; findings: Finding[] }> => {
    const facts = await factsOf(fields, options);
    return { facts, findings: examineHost(facts) };
  };
  const sendPage = async (reply: FastifyReply, fields: URLSearchParams) =>
    reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(doctorPage({ ...(await examine(fields)), product }));

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // An HTML form and `fetch` with URLSearchParams send this type. Browsers send no preflight request for it.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.addHook('preHandler', async (request) => {
      const wait = await options.limiter.take(`doctor ${request.ip}`, questionsPerMinute, minuteMs);
      if (wait === 0) return;
      throw new ApiError('rate-limited', 'Too many requests.', { retryAfterSeconds: wait });
    });
    scope.get(hostDoctorPath, (request, reply) => {
      const fields = new URLSearchParams(request.url.split('?')[1] ?? '');
      // A token in an address ends up in logs and histories, so the server neither reads nor shows it.
      fields.delete('token');
      return sendPage(reply, fields);
    });
    scope.post(hostDoctorPath, async (request, reply) => {
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      if (!String(request.headers.accept).includes('application/json')) return sendPage(reply, fields);
      const { findings } = await examine(fields);
      const problems = findings.flatMap(({ code, message }) => (code === undefined ? [] : [{ code, message }]));
      // Any page may ask, above all a page that is on no list yet. The answer is only about the facts that the page sent.
      return reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store').send({ problems });
    });
    scope.post(answerDoctorPath, (request, reply) => {
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const read = (name: string, limit: number): string => (fields.get(name) ?? '').trim().slice(0, limit);
      const operator = options.operators.byPartnerKey(read('partner', longest.partner));
      const headers = { policy: read('policy', longest.policy), frameOptions: read('frameOptions', longest.origin) };
      return reply.header('cache-control', 'no-store').send(examineAnswer(headers, operator?.allowedOrigins ?? []));
    });
  });
}

async function factsOf(
  fields: URLSearchParams,
  { operators, tokens, publicUrl }: HostDoctorOptions,
): Promise<HostFacts> {
  const read = (name: keyof typeof longest): string | undefined =>
    fields.has(name) ? (fields.get(name) ?? '').trim().slice(0, longest[name]) : undefined;
  /** An empty field of the page's form counts as absent. */
  const given = (name: keyof typeof longest): string | undefined => read(name) || undefined;
  const partner = read('partner') ?? '';
  // The SDK sends an empty token when `getToken` answered nothing. The page's form sends one for an empty field, and marks itself.
  const token = fields.get('by') === 'form' ? given('token') : read('token');
  return {
    partner,
    operator: operators.byPartnerKey(partner),
    origin: given('origin'),
    ancestors: fields
      .getAll('ancestor')
      .slice(0, mostAncestors)
      .map((origin) => origin.slice(0, longest.origin)),
    userId: given('userId'),
    token,
    identity: token === undefined || token === '' ? undefined : await tokens.identify(token),
    policy: given('policy'),
    publicUrl,
  };
}
