/** Lets the reader change to another version of the documentation. `versions.json` beside the versions lists them. */

interface Version {
  readonly name: string;
  /** From versions.json, with a slash at the end; empty for the newest version. */
  readonly path: string;
}

/** Fills the picker from `versions.json`. Without that file the picker shows this version alone. */
export function addVersionPicker(): void {
  class VersionPicker extends HTMLElement {
    async connectedCallback(): Promise<void> {
      const { root = '/', base = '/' } = this.dataset;
      const select = this.querySelector('select');
      const versions = await versionsAt(`${root}versions.json`);
      if (select === null || versions.length === 0) return;
      select.replaceChildren(
        ...versions.map(({ name, path }) => new Option(name, root + path, root + path === base, root + path === base)),
      );
      select.onchange = () => void goTo(select.value, location.pathname.slice(base.length));
    }
  }
  customElements.define('version-picker', VersionPicker);
}

async function versionsAt(address: string): Promise<Version[]> {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return [];
    const { versions = [] } = (await answer.json()) as { versions?: Version[] };
    return versions;
  } catch {
    // No list was published: the picker stays as it is.
    return [];
  }
}

/** The same page of the other version, or its first page. */
async function goTo(base: string, page: string): Promise<void> {
  const answer = await fetch(base + page, { method: 'HEAD' });
  location.assign(answer.ok ? base + page : base);
}
