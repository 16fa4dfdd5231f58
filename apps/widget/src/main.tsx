/** The entry of the widget. It boots first and loads React last. */
import { boot } from './app/boot/boot.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
boot(root, { base: import.meta.env.BASE_URL, locales: import.meta.env.LOCALES });
