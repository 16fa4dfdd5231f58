// breaks: tests-stay-in-their-app, doors-only
import { page } from '../../../demo/src/page.ts';
export const x = page;
