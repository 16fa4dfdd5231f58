/** Loads docs/ as it is: the title and the description of a page are in its text, not in a header of its own. */
import { readFileSync } from 'node:fs';
import { glob, type Loader } from 'astro/loaders';
import { firstPage } from './first-page.ts';
import { descriptionOf, titleOf } from './page-text.ts';
import { pageOf } from './routes.ts';

export function documentsLoader(): Loader {
  // Glossaries are word lists for translators, one for each language. They stay on the code host.
  const files = glob({
    base: '../../docs',
    pattern: ['**/*.md', '!glossaries/**'],
    generateId: ({ entry }) => pageOf(entry),
  });
  return {
    name: 'documents',
    load: (context) =>
      files.load({
        ...context,
        parseData: ({ id, data, filePath = '' }) => {
          const text = readFileSync(filePath, 'utf8');
          const description = descriptionOf(text);
          return context.parseData({
            id,
            filePath,
            data: {
              ...data,
              title: titleOf(text, filePath),
              ...(description !== '' && { description }),
              ...(id === 'index' && firstPage),
            },
          });
        },
      }),
  };
}
