/** Reads from a Content-Security-Policy header which pages may be framed (https://www.w3.org/TR/CSP3/). */

/** @returns the directives of one policy, by their names in lower case */
export function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.replace(/^\s*content-security-policy:/i, '').split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    // Of two directives with the same name the first counts.
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

/** @returns the sources that count for frames, or undefined when the policy does not limit frames */
export function frameSourcesOf(policy: string): readonly string[] | undefined {
  const directives = directivesOf(policy);
  return directives.get('frame-src') ?? directives.get('child-src') ?? directives.get('default-src');
}

/** Whether one of the sources matches an origin: `*`, a scheme, or a host with an optional scheme, wildcard and port. */
export function isSourceAllowed(origin: string, sources: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(origin);
  return sources.some((source) => {
    const text = source.toLowerCase();
    if (text === '*') return true;
    if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return isSchemeAllowed(protocol, text);
    const [, scheme, host = '', wantedPort] =
      /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[^:/*]+|\[[^\]]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(text) ?? [];
    if (scheme !== undefined && !isSchemeAllowed(protocol, scheme)) return false;
    const isHost =
      host === '*' || (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host !== '' && host === hostname);
    const ownPort = port || (protocol === 'https:' ? '443' : '80');
    const isPort = wantedPort === '*' || (wantedPort ?? (protocol === 'https:' ? '443' : '80')) === ownPort;
    return isHost && isPort;
  });
}

/** A source with http allows https as well. */
function isSchemeAllowed(protocol: string, scheme: string): boolean {
  return protocol === scheme || (scheme === 'http:' && protocol === 'https:');
}
