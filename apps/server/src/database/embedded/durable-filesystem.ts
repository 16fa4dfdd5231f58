/**
 * PGlite writes through Node's file system but never calls fsync, so a power cut loses acknowledged money (ADR 1).
 * This file system passes every fsync of the database to the disk. It also counts them for the self-test at boot.
 *
 * The code reaches into emscripten's NODEFS, so the PGlite version is pinned exactly. If that fails, the
 * database refuses to start.
 */
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface NodeStream {
  readonly nfd?: number | null;
}
interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: NodeStream) => number };
}
interface EmscriptenModule {
  readonly NODEFS?: NodeFileSystem;
  readonly FS?: { readonly filesystems?: { readonly NODEFS?: NodeFileSystem } };
}

/** PGlite's file system with syncs that reach the disk. */
export class DurableFileSystem extends NodeFS {
  /** The number of completed syncs since the start. */
  syncs = 0;
  readonly #isDisposable: boolean;

  /** @param options `isDisposable`: the folder will not be opened again, so syncs are counted but not made */
  constructor(folder: string, options: { readonly isDisposable?: boolean | undefined } = {}) {
    super(folder);
    this.#isDisposable = options.isDisposable ?? false;
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(pg, options);
    const hook = (module: EmscriptenModule): void => {
      const nodefs = module.NODEFS ?? module.FS?.filesystems?.NODEFS;
      if (nodefs === undefined)
        throw new Error(
          'This version of PGlite does not give access to its file system, so commits cannot be synced to disk. Use the version in package.json',
        );
      nodefs.stream_ops.fsync = (stream) => {
        if (typeof stream.nfd === 'number') {
          if (!this.#isDisposable) fsyncSync(stream.nfd);
          this.syncs += 1;
        }
        return 0;
      };
    };
    const hooks: unknown[] | undefined = result.emscriptenOpts.preRun;
    if (hooks === undefined)
      throw new Error(
        'This version of PGlite accepts no hooks, so commits cannot be synced to disk. Use the version in package.json',
      );
    hooks.push(hook);
    return result;
  }
}

/** Syncs every file and folder below `folder`, because initdb wrote files before the hook was active. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (lstatSync(path).isFile()) syncPath(path);
  }
  // Windows cannot open a folder for syncing. Its file system journals file names.
  if (process.platform !== 'win32') syncPath(folder);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
