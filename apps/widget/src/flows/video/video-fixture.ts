/** Services with a method that has a video guide. */
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { type Answers, createFixtureServices } from '../../kit/session/services-fixture.ts';

export function guideServices(link: string, answers: Answers = {}) {
  const methods = [{ ...cardMethod, video_guide_url: link }, ...indiaCatalogue.methods.slice(2)];
  return createFixtureServices({ 'methods-payment-v5': { ...indiaCatalogue, methods }, ...answers });
}
