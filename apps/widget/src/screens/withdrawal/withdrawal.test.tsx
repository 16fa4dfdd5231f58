// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { refusal } from '../../kit/payment/payment-fixture.ts';
import { type Answers, createSession } from '../../kit/session/services-fixture.ts';
import {
  nearlyEqualName,
  transferCatalogue,
  withdrawalCatalogue,
  withdrawalId,
  withdrawalServices,
} from '../../kit/withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const held = { withdrawalId, status: 0, fee: '18.33', receives: '981.67' };
const refusedWith =
  (code: string, params: Record<string, string>, fields: { path: string; message: string }[] = []) =>
  () =>
    Promise.reject(new ClientError({ kind: 'refused', code, status: 422, message: code, params, fields }));

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

async function open(answers: Answers = {}, method = 'card_withdrawal', list = withdrawalCatalogue) {
  const services = withdrawalServices(answers, list);
  const widget = await openWidget(`/withdrawal/redirect/${method}`, services);
  return { ...widget, creations: () => services.requestsOf('withdrawal-create') as Record<string, unknown>[] };
}
const amount = () => screen.getByRole('textbox', { name: 'Amount' });
const card = () => screen.getByRole('textbox', { name: 'Card number' });
const line = (title: string) => screen.getByText(title, { selector: 'dt' }).nextElementSibling;
const paste = async (field: HTMLElement, text: string) => {
  await user.click(field);
  await user.paste(text);
};
const press = () => user.click(screen.getByRole('button', { name: /^Withdraw|^Continue/ }));

test('[WD-2] fee and what arrives are shown while the amount is typed, exactly as the server computes them', async () => {
  await open();
  expect(screen.getByText('₹12,345.67')).toBeVisible();
  expect(line('Fee')).toHaveTextContent('₹3.33 + 1.5%');
  await user.type(amount(), '1000');
  expect(line('Fee')).toHaveTextContent('₹18.33');
  expect(line('You receive')).toHaveTextContent('₹981.67');
  expect(screen.getByRole('button', { name: /^Withdraw/ })).toHaveAccessibleName('Withdraw ⁨₹1,000.00⁩');
});

test('[WD-2] [WD-3] All is the balance within the limits', async () => {
  await open();
  await user.click(screen.getByRole('button', { name: 'All: ⁨₹12,345.67⁩' }));
  expect(amount()).toHaveValue('12,345.67');
  expect(line('You receive')).toHaveTextContent('₹12,157.16');
});

test('[WD-3] with less than the minimum there is no "All"', async () => {
  await open({}, 'card_withdrawal', { ...withdrawalCatalogue, balance: { currency: 'INR', amount: '499.99' } });
  expect(screen.queryByRole('button', { name: /^All/ })).toBeNull();
});

test.each([
  ['that is too small', '499.99', []],
  ['between the quick choices', '1200.00', ['500', '1,000', 'All: ⁨₹1,200.00⁩']],
])(
  '[WD-3] [UI-5] a balance %s, known only later, closes quick choices and moves nothing',
  async (_what, sum, open_) => {
    const { balance: _balance, ...publicList } = withdrawalCatalogue;
    const { services, pass } = await open({}, 'card_withdrawal', publicList);
    const chips = () => within(screen.getByRole('group', { name: 'Suggested amounts' })).getAllByRole('button');
    const before = chips().map((chip) => chip.textContent);
    expect(before).toEqual(['500', '1,000', '3,000', '5,000', '10,000', 'All']);
    expect(chips().at(-1)).toBeDisabled();
    services.answer('methods-withdrawal', { ...publicList, balance: { currency: 'INR', amount: sum } });
    await services.queries.invalidateQueries({ queryKey: ['methods'] });
    await pass(0);
    expect(chips().map((chip) => chip.textContent)).toEqual(before);
    const usable = chips().filter((chip) => !chip.hasAttribute('disabled'));
    expect(
      usable.map((chip) => (chip.textContent === 'All' ? chip.getAttribute('aria-label') : chip.textContent)),
    ).toEqual(open_);
  },
);

test('[WD-2] one create under a stored key, then the confirm screen', async () => {
  const { creations, address, pass } = await open({ 'withdrawal-create': held });
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  expect(creations()).toEqual([
    {
      withdrawalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      amount: '1000',
      currency: 'INR',
      paymentMethod: 'card_withdrawal',
      fields: { cardNumber: '4242 4242 4242 4242' },
      selectedCountry: 'IN',
      accountType: 'main',
    },
  ]);
  await pass(0);
  expect(address()).toBe(`/withdrawal/confirm?withdrawalId=${String(creations()[0]?.['withdrawalId'])}`);
  // A key may hold four such digits by chance, never eight.
  expect(localStorage.getItem('cashier.withdrawal')).not.toMatch(/4242 ?4242/);
});

test('[WD-2] after a reload the same intent continues under the same key', async () => {
  const first = await open();
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  document.body.replaceChildren();
  const second = await open();
  await user.type(amount(), '1000.00');
  await paste(card(), '4242424242424242');
  await press();
  expect(second.creations()[0]?.['withdrawalId']).toBe(first.creations()[0]?.['withdrawalId']);
});

describe('[WD-3] refused amounts are shown at the amount, and nothing is on hold', () => {
  test.each([
    ['20000', undefined, 'Your balance is ⁨₹12,345.67⁩'],
    ['499', undefined, 'The minimum amount is ⁨₹500⁩'],
    ['1000', refusedWith('insufficient-funds', { max: '900.00' }), 'Your balance is ⁨₹900⁩'],
    ['1000', refusedWith('limit-max', { max: '800' }), 'The maximum amount is ⁨₹800⁩'],
    ['1000', refusedWith('limit-min', { min: '1200' }), 'The minimum amount is ⁨₹1,200⁩'],
  ])('%s', async (typed, answer, words) => {
    const { address, pass } = await open(answer === undefined ? {} : { 'withdrawal-create': answer });
    await user.type(amount(), typed);
    await paste(card(), '4242424242424242');
    await press();
    await pass(0);
    expect(screen.getByText(words)).toBeVisible();
    expect(amount()).toHaveValue(Number(typed).toLocaleString('en'));
    expect(address()).toBe('/withdrawal/redirect/card_withdrawal');
  });
});

test('[NET-3] a press while the device is offline says so beside the button, starts no call and keeps what is typed', async () => {
  const { creations, pass } = await open({});
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await press();
  expect(screen.getByText('No connection. Your request was not sent. Try again.')).toBeVisible();
  await pass(0);
  expect(creations()).toHaveLength(0);
  expect(card()).toHaveValue('4242 4242 4242 4242');
  onLine.mockRestore();
  await press();
  expect(creations()).toHaveLength(1);
});

test('[WD-2] without an answer it is being checked: no error, and not to be withdrawn again', async () => {
  const lost = () =>
    Promise.reject(new ClientError({ kind: 'unknown', code: 'unknown-outcome', status: 0, message: 'lost' }));
  const { creations, pass } = await open({ 'withdrawal-create': lost, 'withdrawal-status': lost });
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  await pass(10_000);
  expect(screen.getByText('Please do not withdraw again.')).toBeVisible();
  const line = (title: string) => screen.getByText(title, { selector: 'dt' }).nextElementSibling;
  expect(line('Amount')).toHaveTextContent('₹1,000.00');
  expect(line('To')).toHaveTextContent('Bank card');
  expect(line('Card number')).toHaveTextContent('4242 4242 4242 4242');
  expect(line('Withdrawal ID')).toHaveTextContent(String(creations()[0]?.['withdrawalId']));
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  expect(creations()).toHaveLength(1);
});

test('[FORM-8] a card number with a wrong check digit is refused in place', async () => {
  const { creations } = await open();
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424241');
  await press();
  expect(card()).toHaveAttribute('aria-invalid', 'true');
  expect(creations()).toEqual([]);
});

describe('[WD-1] two accounts', () => {
  const list = { ...withdrawalCatalogue, additionalBalance: { currency: 'INR', amount: '700.00' } };

  test('the chosen account is checked and sent', async () => {
    const { creations } = await open({}, 'card_withdrawal', list);
    await user.click(screen.getByRole('radio', { name: 'Additional: ⁨₹700.00⁩' }));
    await user.type(amount(), '1000');
    await paste(card(), '4242424242424242');
    await press();
    expect(screen.getByText('Your balance is ⁨₹700⁩')).toBeVisible();
    await user.clear(amount());
    await user.type(amount(), '600');
    await press();
    expect(creations()[0]).toMatchObject({ accountType: 'additional', amount: '600' });
  });

  test('an empty account cannot be chosen', async () => {
    await open({}, 'card_withdrawal', { ...list, additionalBalance: { currency: 'INR', amount: '0.00' } });
    expect(screen.queryByRole('radio')).toBeNull();
  });
});

describe('[WD-1] wallets', () => {
  const wallet = () => screen.getByRole('textbox', { name: 'Wallet address' });

  test.each([
    ['0x52908400098527886E0F7030069857D2E4169EE7', /^This address belongs to Ethereum.* uses Tron/],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', /^This address belongs to Bitcoin, /],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv9', 'A character in this address is wrong. Copy it again.'],
    ['hello', /^This is not a valid Tron address/],
  ])('%s is refused before anything is sent', async (address, words) => {
    const { creations, pass } = await open({}, 'usdt_withdrawal');
    await import('@opencashier/core/crypto/address-check');
    await pass(0);
    await user.type(amount(), '1000');
    await paste(wallet(), address);
    await press();
    expect(screen.getByText(words)).toBeVisible();
    expect(creations()).toEqual([]);
  });

  test('the server’s message about an address is shown at its field', async () => {
    const answer = refusedWith('banking.paymentMethodRegex', { network: 'Tron', belongsTo: 'Ton' }, [
      { path: 'fields.wallet', message: 'form.wallet.network' },
    ]);
    const { pass } = await open({ 'withdrawal-create': answer }, 'usdt_withdrawal');
    await user.type(amount(), '1000');
    await paste(wallet(), 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8');
    await press();
    await pass(0);
    expect(wallet()).toHaveAccessibleDescription(/^This address belongs to Ton/);
    expect(wallet()).toHaveFocus();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });
});

test('[WD-2] what the payee’s bank says of a name is shown at its field, in its own words, and every value stays', async () => {
  const said = 'The bank says that this account is in another name.';
  const answer = refusedWith('banking.merchantClientError', {}, [{ path: 'fields.cardNumber', message: said }]);
  const { pass } = await open({ 'withdrawal-create': answer });
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  await pass(0);
  expect(card()).toHaveAccessibleDescription(said);
  expect(card()).toHaveFocus();
  expect([amount(), card()].map((field) => (field as HTMLInputElement).value)).toEqual([
    '1,000',
    '4242 4242 4242 4242',
  ]);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test('[ERR-4] a refusal without a field has a text about withdrawals', async () => {
  const { pass } = await open({ 'withdrawal-create': refusal('method-unavailable', 422) });
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  await pass(0);
  expect(screen.getByRole('alert')).toHaveTextContent('This withdrawal method is not available right now.');
});

test('[CRY-3] below /cryptobalance it is the same tree', async () => {
  const services = withdrawalServices({ 'withdrawal-create': held });
  services.session.setState(createSession({}, { widgetViewType: 'cryptobalance' }), true);
  const { address, pass } = await openWidget('/cryptobalance/withdrawal/redirect/card_withdrawal', services);
  await user.type(amount(), '1000');
  await paste(card(), '4242424242424242');
  await press();
  await pass(0);
  expect(address()).toMatch(/^\/cryptobalance\/withdrawal\/confirm\?withdrawalId=/);
  expect(screen.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible();
});

describe('[WD-2] a name that nearly matches is asked under its field', () => {
  const name = () => screen.getByRole('textbox', { name: 'Full name' });

  const iban = 'DE89370400440532013000';

  async function asked() {
    const widget = await open({ 'withdrawal-create': nearlyEqualName }, 'transfer_withdrawal', transferCatalogue);
    await user.type(amount(), '1000');
    await user.type(name(), 'Ann Close');
    await paste(screen.getByRole('textbox', { name: 'IBAN' }), iban);
    await press();
    await widget.pass(0);
    return widget;
  }
  const question = () => screen.queryByRole('group', { name: 'The bank knows this account as ⁨Ann Closer⁩' });
  const sent = ({ creations }: Awaited<ReturnType<typeof asked>>) =>
    creations().map(({ fields, payeeName }) => [fields, payeeName]);

  test('and has the focus, while nothing is on hold and the form stays as it is', async () => {
    const widget = await asked();
    expect(question()).toHaveFocus();
    expect(question()).toHaveAccessibleDescription(/You typed ⁨Ann Close⁩/);
    expect(name().compareDocumentPosition(question() as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(sent(widget)).toEqual([[{ fullName: 'Ann Close', iban }, 'ask']]);
    expect(screen.queryByText(/nearly equal name/)).toBeNull();
  });

  test('and takes the focus again when the form is sent without a choice', async () => {
    const widget = await asked();
    await press();
    await widget.pass(0);
    expect(sent(widget).map(([, payeeName]) => payeeName)).toEqual(['ask', 'ask']);
    expect(question()).toHaveFocus();
  });

  test.each([
    ['Use ⁨Ann Closer⁩', 'Ann Closer', 'ask'],
    ['Keep ⁨Ann Close⁩', 'Ann Close', 'keep'],
  ])('"%s" sends this name at once, as a new intent', async (choice, fullName, payeeName) => {
    const widget = await asked();
    widget.services.answer('withdrawal-create', held);
    await user.click(screen.getByRole('button', { name: choice }));
    await widget.pass(0);
    expect(sent(widget)[1]).toEqual([{ fullName, iban }, payeeName]);
    const [first, second] = widget.creations();
    expect(first?.['withdrawalId']).not.toBe(second?.['withdrawalId']);
    expect(widget.address()).toContain('/withdrawal/confirm');
  });

  test.each(['Use ⁨Ann Closer⁩', 'Keep ⁨Ann Close⁩'])(
    '"%s" leads the focus to the button that goes on, which stays when the server refuses',
    async (choice) => {
      const widget = await asked();
      widget.services.answer('withdrawal-create', () =>
        Promise.reject(new ClientError({ kind: 'refused', code: 'rate-limited', status: 429, message: 'too many' })),
      );
      await user.click(screen.getByRole('button', { name: choice }));
      await widget.pass(0);
      expect(screen.getByRole('button', { name: /^Withdraw/ })).toHaveFocus();
    },
  );

  test('and a changed name ends the question and the choice', async () => {
    const widget = await asked();
    await user.click(screen.getByRole('button', { name: /^Keep/ }));
    await widget.pass(0);
    await user.type(name(), 'd');
    expect(question()).toBeNull();
    await press();
    expect(sent(widget).at(-1)).toEqual([{ fullName: 'Ann Closed', iban }, 'ask']);
  });
});
