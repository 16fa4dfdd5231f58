// breaks: no-tests-in-production
export { fixture } from '../testing/fixtures.ts';
