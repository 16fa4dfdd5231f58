import { expect, test } from 'vitest';
import { DomainError } from '../errors/domain-error.ts';
import { runCommand } from './run-command.fixture.ts';

const open = async () => Promise.reject(new DomainError('not-found', 'Operator not found.'));

test('an error of the command line names the page about it', async () => {
  const settings = await runCommand('list operators', { environment: { PORT: 'x' }, open });
  expect(settings.errors).toContain('\nSee https://opencashier.github.io/opencashier/operate/#settings\n');
  const environment = { DOCS_URL: 'https://docs.example/', DATABASE_URL: 'postgres://db/cashier' };
  const refused = await runCommand('list operators', { environment, open });
  expect(refused).toMatchObject({
    exitCode: 1,
    errors: 'Operator not found.\nSee https://docs.example/errors/#not-found\n',
  });
});
