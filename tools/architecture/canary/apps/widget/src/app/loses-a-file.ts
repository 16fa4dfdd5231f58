// breaks: all-imports-resolve
export { router } from './router';
