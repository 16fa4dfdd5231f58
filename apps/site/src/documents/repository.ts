/** Where the sources are, as package.json names it. */
import site from '../../package.json' with { type: 'json' };

/** The address of the repository on its code host, without a slash at the end. */
export const repository = site.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/**
 * The page of a file or folder of the repository.
 *
 * @param path from the root of the repository, such as `examples/README.md`
 * @param revision a branch or a tag
 */
export function sourceAddress(path: string, revision: string): string {
  return `${repository}/${/\.\w+$/.test(path) ? 'blob' : 'tree'}/${revision}/${path}`;
}
