/** What payers see of accounts that the operator has at providers: another way after a failure, and a bank that checks the payee. */
import { HostPage } from '../stack/host-page.ts';
import { withDatabase } from '../stack/ledger.ts';
import { askOperator, callbackSecret, connect, sealedEnvironment } from '../stack/own-accounts.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser, mainBalance } from '../stack/withdrawing.ts';

test.use({ viewport: { width: 390, height: 844 }, stackOptions: { env: sealedEnvironment() } });

// In one worker, so that one cashier is started for both.
test.describe.configure({ mode: 'default' });

test('[SRV-4] an account that is down: the payer reads that another way is tried, types nothing again, and is credited once', async ({
  page,
  stack,
  site,
}) => {
  const account = (name: string, mood: string) =>
    connect(stack, {
      provider: 'sandbox',
      name,
      currency: 'BRL',
      secrets: { callbackSecret: callbackSecret() },
      options: { mood },
    });
  await (await account('main', 'down'))();
  // Slow, so that a person could read the sentence.
  const enableBackup = await account('backup', 'slow');
  const { version } = await askOperator<{ version: number }>(stack, 'GET', '/routes');
  const accounts = [{ connection: 'main' }, { connection: 'backup' }];
  await askOperator(stack, 'PUT', '/routes', {
    version,
    staff: 'maria',
    routes: { pix: { strategy: 'priority', accounts } },
  });
  await enableBackup();

  const userId = 'routed-payer';
  const host = new HostPage(page, stack, site);
  await host.open('/deposit/redirect/pix', { userId, currency: 'BRL', country: 'BR' });
  const amount = host.widget.getByRole('textbox', { name: 'Amount' });
  const cpf = host.widget.getByRole('textbox', { name: 'CPF' });
  await amount.fill('150');
  await cpf.fill('12345678909');
  await host.widget.getByRole('button', { name: /^Deposit/ }).click();
  await expect(host.widget.getByText('Trying another way. Nothing was charged.')).toBeVisible();
  await expect(amount).toHaveValue('150');
  await expect(cpf).toHaveValue('123.456.789-09');
  await expect(host.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
  const depositId = new URL(host.frame().url()).searchParams.get('depositId') ?? '';
  const tries = await withDatabase(stack, (ask) =>
    ask<{ id: string }>(
      `select n, id, outcome, code from deposit_attempt where deposit_id = '${depositId}' order by n`,
    ),
  );
  await stack.startCashier();
  const failed = { n: 1, id: depositId, outcome: 'failed', code: 'sandbox-down' };
  expect(tries).toMatchObject([failed, { n: 2, outcome: null }]);
  await atProvider(stack, tries[1]?.id ?? '', 'pay');
  await expect(host.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  expect(await mainBalance(stack, userId, 'BRL')).toBe('150.00');
});

test('[WD-1] [WD-2] a name that is not the account’s is refused at its field before anything is held, and a nearly equal one is asked', async ({
  page,
  stack,
  site,
}) => {
  const enable = await connect(stack, {
    provider: 'sepa',
    name: 'bank',
    currency: 'EUR',
    secrets: { iban: 'DE89370400440532013000' },
    options: { name: 'Example Casino' },
  });
  await enable();
  const { version } = await askOperator<{ version: number }>(stack, 'GET', '/catalogue');
  const change = { version, staff: 'maria', provider: 'sepa' };
  await askOperator(stack, 'PUT', '/catalogue/methods/sepa_withdrawal', change);

  const userId = await fundedUser(stack, 'EUR', '200.00');
  const host = new HostPage(page, stack, site);
  await host.open('/withdrawal/redirect/sepa_withdrawal', { userId, currency: 'EUR', country: 'DE' });
  const amount = host.widget.getByRole('textbox', { name: 'Amount' });
  const iban = host.widget.getByRole('textbox', { name: 'IBAN' });
  const name = host.widget.getByRole('textbox', { name: 'Full name' });
  const submit = host.widget.getByRole('button', { name: /^Withdraw/ });
  await amount.fill('50');
  await iban.fill('DE02120300000000202051');
  await name.fill('Zoë Other');
  await submit.click();
  const said = 'The bank says that this account is in another name. Check the IBAN and the name.';
  await expect(name).toHaveAccessibleDescription(said);
  await expect(name).toBeFocused();
  await expect(name).toHaveValue('Zoë Other');
  await expect(iban).toHaveValue('DE02 1203 0000 0000 2020 51');
  await expect(amount).toHaveValue('50');
  expect(await mainBalance(stack, userId, 'EUR')).toBe('200.00');
  // The name was right and the IBAN was not: a new IBAN alone asks the bank again.
  await iban.fill('DE89370400440532013000');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await submit.click();
  await expect(name).toHaveAccessibleDescription(said);
  // A nearly equal name is asked.
  await name.fill('Zoë Close');
  await submit.click();
  await expect(host.widget.getByRole('group', { name: /^The bank knows this account as .*Zoë Closer/ })).toBeFocused();
  expect(await mainBalance(stack, userId, 'EUR')).toBe('200.00');
  await host.widget.getByRole('button', { name: /^Use .*Zoë Closer/ }).click();
  await expect(host.widget.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible();
  expect(await mainBalance(stack, userId, 'EUR')).toBe('150.00');
});
