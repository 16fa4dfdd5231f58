// breaks: api-is-a-client
export { router } from '../app/router.ts';
