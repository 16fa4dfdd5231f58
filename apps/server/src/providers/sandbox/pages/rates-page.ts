/** The page on which a tester makes the practice exchange rates stop, age or fail. Anybody may use it: no real money is at stake. */
import type { FastifyPluginAsync } from 'fastify';
import { type Html, html, nothing } from './html.ts';
import { acceptForms, formOf, send } from './page-reply.ts';
import { page, troublePage } from './pay-page.ts';

/** The source of rates, as far as the page needs it. */
interface MoodyRates {
  mood(): Promise<'fresh' | 'stopped' | 'down'>;
  setMood(mood: 'fresh' | 'stopped' | 'down', ageMs?: number): Promise<void>;
  /** A form must carry it. Another site can post a form, but cannot read the token. All processes have the same one. */
  formToken(): Promise<string>;
}

const path = '/sandbox/rates';
/** The largest age of rates that a tester can set. */
const oldestSeconds = 30 * 86_400;

const moods = [
  { mood: 'fresh', name: 'Current rates', text: 'The source answers with rates of the current moment.' },
  {
    mood: 'stopped',
    name: 'Stop updates',
    text: 'The source answers with the rates of one moment, so they get older.',
  },
  { mood: 'down', name: 'No rates', text: 'The source does not answer.' },
] as const;

export function ratesPage(rates: MoodyRates): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app);

    app.get(path, async (_request, reply) => send(reply, pageOf(await rates.mood(), await rates.formToken())));

    app.post(path, async ({ body }, reply) => {
      const form = formOf(body);
      if (form.get('token') !== (await rates.formToken())) {
        return send(reply.code(403), troublePage('foreign'));
      }
      const chosen = moods.find(({ mood }) => mood === form.get('mood'));
      const seconds = Number(form.get('age') || '0');
      if (chosen === undefined || !Number.isInteger(seconds) || seconds < 0 || seconds > oldestSeconds) {
        return send(reply.code(400), troublePage('nothingChosen'));
      }
      await rates.setMood(chosen.mood, seconds * 1_000);
      return reply.redirect(path, 303);
    });
  };
}

function pageOf(current: string, token: string): string {
  return page({
    title: 'Exchange rates',
    mainClass: 'pay',
    main: html`
<section class="card" aria-labelledby="rates">
<h1 id="rates">Exchange rates</h1>
<dl><div><dt>Status</dt><dd data-state="${current}">${moods.find(({ mood }) => mood === current)?.name ?? current}</dd></div></dl>
</section>
<section class="choice" aria-labelledby="choice">
<h2 id="choice">What should the source of rates do?</h2>
${moods.map(({ mood, name, text }, index) => formOfMood(mood, name, text, token, index === 0 ? 'primary' : 'plain'))}
</section>`,
  });
}

function formOfMood(mood: string, name: string, text: string, token: string, look: string): Html {
  const age =
    mood === 'stopped'
      ? html`<label for="age">Age of the rates in seconds</label><input type="text" id="age" name="age" value="0" inputmode="numeric" autocomplete="off" maxlength="8" required>`
      : nothing;
  return html`<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="mood" value="${mood}">
<p class="small muted">${text}</p>${age}
<button class="${look}">${name}</button></form>`;
}
