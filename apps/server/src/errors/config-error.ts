/** Lists every wrong setting, one per line, and not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
  }
}
