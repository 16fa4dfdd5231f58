/** Says every setting that is wrong, a line each, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
