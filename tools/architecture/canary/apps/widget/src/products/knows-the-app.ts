// breaks: products-are-data
export { router } from '../app/router.ts';
