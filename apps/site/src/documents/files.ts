/** What is in docs/ beside the documents: pictures, and the reference for programs. The site has them under the same path. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The working folder of Astro is apps/site. */
const documents = join(process.cwd(), '../../docs');
const served = ['.json', '.png', '.sql'];

/** The routes of the files in a folder of docs/. */
export function filesOf(folder: string): { params: { file: string } }[] {
  return readdirSync(join(documents, folder))
    .filter((file) => served.includes(extname(file)))
    .map((file) => ({ params: { file } }));
}

export function fileAnswer(folder: string, file: string): Response {
  return new Response(readFileSync(join(documents, folder, file)));
}
