/**
 * The file of a language with an operator's own texts: `/{product}/texts/{partner}/{version}-{hash}/{locale}.{hash}.json`. It is
 * the built file with what differs, so the widget still loads its texts in one request. The first hash names the own texts as compiled,
 * the second the built ones, so a browser keeps the file. After a change of the server or a restored backup, the content of a version may
 * have another hash than the page that asks. The answer then has the current content, and no browser keeps it.
 *
 * Anybody may ask for any address. So the number of kept files has a limit, and so has the work for one operator.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../dispatch/api-error.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Operators } from '../operators/operators.ts';
import type { ServedTexts } from '../own-texts/served-texts.ts';
import { type BodyIn, compressed, encodingOf } from './compressed.ts';

/** About 12 kB each. */
const mostFiles = 500;
/** Files made for one operator. It has one for each language and version. */
const mostMade = 80;
/** Files that one network address asks for, and that are not kept. A real visitor needs one. */
const mostOfCaller = 20;
/**
 * Reads of versions that this node does not hold, for one operator: of versions that may be new at another node, and as many of
 * older ones.
 */
const mostReads = 10;
/** Of these, for one network address. A real visitor needs one. */
const mostReadsOfCaller = 2;
const windowMs = 3000;

/** As a page names the folder: `7-3f9a1c2b`. */
const versionForm = /^([1-9]\d{0,8})-([0-9a-f]{8})$/;
/** As the build names the file of a language. */
const fileForm = /^([A-Za-z]{2,3}(?:-[A-Za-z]{2,4}){0,2})\.[0-9a-f]{8}\.json$/;

export interface OwnTextsFilesOptions {
  /** The widget's build. */
  readonly folder: string;
  readonly product: string;
  readonly operators: Pick<Operators, 'byPartnerKey'>;
  readonly texts: ServedTexts;
  readonly limiter: Pick<RateLimiter, 'takeHere'>;
  /** `cache-control` of files that never change. */
  readonly forever: string;
}

interface FileAddress {
  readonly partner: string;
  readonly version: string;
  readonly file: string;
}

export function registerOwnTextsFiles(server: FastifyInstance, options: OwnTextsFilesOptions): void {
  const files = createFiles(options);
  server.get<{ Params: FileAddress }>(
    `/${options.product}/texts/:partner/:version/:file`,
    async ({ params, headers, ip }, reply) => {
      const { body, isNamed } = await files.find(params, ip);
      const encoding = encodingOf(headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply
        .header('cache-control', isNamed ? options.forever : 'no-store')
        .header('vary', 'accept-encoding')
        .header('x-content-type-options', 'nosniff')
        .type('application/json; charset=utf-8')
        .send(body(encoding));
    },
  );
}

interface KeptFile {
  readonly body: BodyIn;
  readonly hash: string | undefined;
}

interface FoundFile {
  readonly body: BodyIn;
  /** Whether the hash in the address is that of the content. */
  readonly isNamed: boolean;
}

function createFiles({ folder, operators, texts, limiter }: OwnTextsFilesOptions) {
  const kept = new Map<string, KeptFile>();

  const keep = (name: string, file: KeptFile): void => {
    kept.delete(name);
    kept.set(name, file);
    const [oldest] = kept.keys();
    if (kept.size > mostFiles && oldest !== undefined) kept.delete(oldest);
  };

  const count = (key: string, limit: number): void => {
    const wait = limiter.takeHere(key, limit, windowMs);
    if (wait > 0) throw new ApiError('rate-limited', 'Too many requests.', { retryAfterSeconds: wait });
  };

  /** Visitors who ask for a version at the same time share its read. */
  const loading = new Map<string, Promise<void>>();
  const load = async (id: string, version: number, caller: string): Promise<void> => {
    const place = texts.whereIs(id, version);
    if (place === 'held') return;
    if (place === 'nowhere') throw notFound();
    const name = `${id} ${version}`;
    let read = loading.get(name);
    if (read === undefined) {
      count(`own-texts-read-of:${caller}`, mostReadsOfCaller);
      // Those who ask for all of the history do not keep a new version from anybody.
      count(`own-texts-read-${place}:${id}`, mostReads);
      read = texts.load(id, version).finally(() => loading.delete(name));
      loading.set(name, read);
    }
    await read;
  };

  const make = async (id: string, version: number, file: string, locale: string, caller: string): Promise<KeptFile> => {
    // A single visitor cannot use up what the operator's other visitors need.
    count(`own-texts-of:${caller}`, mostOfCaller);
    // Before the version: a name that is made up costs no read.
    const built = await builtFile(join(folder, 'static/locales', file));
    await load(id, version, caller);
    const own = texts.ofFile(id, version, locale);
    if (own === undefined) throw notFound();
    count(`own-texts:${id}`, mostMade);
    return { body: compressed(Buffer.from(JSON.stringify({ ...built, ...own.messages }))), hash: own.hash };
  };

  return {
    /** @throws ApiError not-found for an address without a file; rate-limited when too many files are asked for */
    async find({ partner, version: folderName, file }: FileAddress, caller: string): Promise<FoundFile> {
      const { id } = operators.byPartnerKey(partner) ?? {};
      const [, version, hash] = versionForm.exec(folderName) ?? [];
      const [, locale] = fileForm.exec(file) ?? [];
      if (id === undefined || locale === undefined || version === undefined) throw notFound();
      // The name has no hash of the address: strangers could fill the memory with made-up ones.
      const name = `${id} ${version} ${file}`;
      const found = kept.get(name) ?? (await make(id, Number(version), file, locale, caller));
      keep(name, found);
      return { body: found.body, isNamed: found.hash === hash };
    },
  };
}

/** @throws ApiError not-found when the build has no such file: the page may be of another build */
async function builtFile(path: string): Promise<object> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound();
    throw error;
  }
}

function notFound(): ApiError {
  return new ApiError('not-found', 'File not found.');
}
