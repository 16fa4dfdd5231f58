/** The documentation site. `npm run site` builds it (scripts/site.mjs). */
import { fileURLToPath } from 'node:url';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import starlightOpenAPI, { openAPISidebarGroups } from 'starlight-openapi';
import { diagrams, documentLinks, withoutTitle } from './src/documents/markdown.ts';
import { repository } from './src/documents/repository.ts';
import { origin, place } from './src/documents/settings.ts';
import { groups } from './src/documents/sidebar.ts';

const path = (fromHere: string): string => fileURLToPath(new URL(fromHere, import.meta.url));
const sidebar = groups.flatMap(({ label, pages = [], folder }) => [
  folder === undefined
    ? {
        label,
        items: [
          ...pages.map((page) => (page === 'index' ? { label: 'Overview', slug: '' } : { slug: page })),
          ...(label === 'Start' ? [{ label: 'Live demo', link: '/demo/' }] : []),
        ],
      }
    : { label, collapsed: true, autogenerate: { directory: folder } },
  ...(label === 'Reference' ? openAPISidebarGroups : []),
]);

export default defineConfig({
  site: origin,
  base: place.base,
  trailingSlash: 'always',
  outDir: process.env['SITE_OUT'] ?? './dist',
  cacheDir: path('../../node_modules/.cache/site'),
  // Pictures stay as they are in docs/, so the build needs no program for them.
  image: { service: passthroughImageService() },
  markdown: { remarkPlugins: [withoutTitle, diagrams, documentLinks(path('../..'), place)], smartypants: false },
  vite: { resolve: { alias: { '@opencashier/embed': path('../../packages/embed/src/index.ts') } } },
  integrations: [
    starlight({
      title: 'OpenCashier',
      favicon: '/favicon.svg',
      social: [{ icon: 'github', label: 'Source code', href: repository }],
      customCss: ['./src/styles/brand.css'],
      components: { ThemeSelect: './src/components/theme-and-version.astro' },
      markdown: { processedDirs: ['../../docs'] },
      lastUpdated: false,
      sidebar,
      plugins: [
        starlightOpenAPI([
          {
            base: 'reference/api',
            schema: '../../docs/reference/openapi.json',
            sidebar: { label: 'API', collapsed: true },
          },
        ]),
      ],
    }),
  ],
});
