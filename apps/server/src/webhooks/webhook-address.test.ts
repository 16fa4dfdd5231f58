import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, leadsInside, publicLookup, type Resolve, webhookAddressProblem } from './webhook-address.ts';

const privateIpv4 = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];
const publicIpv4 = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '172.15.0.1', '100.128.0.1', '169.253.1.1'];

const hexOf = (ipv4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};
/** The notations of an IPv4 address in IPv6. */
const formsOf = (ipv4: string): string[] => [
  ipv4,
  `::ffff:${ipv4}`,
  `::FFFF:${hexOf(ipv4)}`,
  `0:0:0:0:0:ffff:${hexOf(ipv4)}`,
  `64:ff9b::${ipv4}`,
  `64:ff9b::${hexOf(ipv4)}`,
  `0064:ff9b:0:0:0:0:${hexOf(ipv4)}`,
];

describe('[SRV-5] a webhook outside the sandbox', () => {
  test.each(privateIpv4)('never goes to %s, in any notation', (ipv4) => {
    for (const form of formsOf(ipv4)) expect(isPublicAddress(form), form).toBe(false);
    const hosts = formsOf(ipv4).map((form) => (form.includes(':') ? `[${form}]` : form));
    for (const host of hosts) expect(webhookAddressProblem(`https://${host}/`, false), host).toBe('private address');
  });

  test.each(publicIpv4)('may go to %s, in every notation', (ipv4) => {
    for (const form of formsOf(ipv4)) expect(isPublicAddress(form), form).toBe(true);
  });

  test.each([
    '::',
    '::1',
    '::7f00:1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'not an address',
    '',
  ])('never goes to %s', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888'])('may go to %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('gives the same result for every notation of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        const [first, ...others] = formsOf(ipv4).map(isPublicAddress);
        expect(others.every((other) => other === first)).toBe(true);
      }),
    );
  });

  test.each([
    ['https://2130706433/', 'private address'],
    ['https://0x7f.1/', 'private address'],
    ['https://127.1:8443/x', 'private address'],
    ['https://localhost/', 'private address'],
    ['https://LOCALHOST./', 'private address'],
    ['https://db.internal/', 'private address'],
    ['https://printer.local/', 'private address'],
    ['https://user:pw@api.acme.example/', 'a user or password in the address'],
    ['https://user@api.acme.example/', 'a user or password in the address'],
    ['http://api.acme.example/', 'not https'],
    ['file:///etc/passwd', 'not https'],
    ['nonsense', 'not an address'],
  ])('is refused for %s', (text, problem) => expect(webhookAddressProblem(text, false)).toBe(problem));

  test('may go to a public address; in the sandbox also to a private one, but never with a password', () => {
    expect(webhookAddressProblem('https://api.acme.example/h?k=1', false)).toBeUndefined();
    expect(webhookAddressProblem('https://8.8.8.8/', false)).toBeUndefined();
    expect(webhookAddressProblem('http://localhost:3001/webhooks', true)).toBeUndefined();
    expect(webhookAddressProblem('https://user:pw@localhost/', true)).toBe('a user or password in the address');
  });
});

describe('[SRV-5] a name', () => {
  const answering =
    (...addresses: string[]): Resolve =>
    (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const ask = (resolve: Resolve, all: boolean) =>
    new Promise((done) => {
      publicLookup(resolve)('api.acme.example', { all }, (error, address, family) => {
        done(error ? 'code' in error && error.code : [address, family]);
      });
    });

  test('is connected to by the addresses that were checked', async () => {
    expect(await ask(answering('8.8.8.8', '2606:4700:4700::1111'), false)).toEqual(['8.8.8.8', 4]);
    expect(await ask(answering('8.8.8.8'), true)).toEqual([[{ address: '8.8.8.8', family: 4 }], undefined]);
  });

  test('is refused if one of its addresses is private', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:169.254.169.254'], []]) {
      expect(await ask(answering(...addresses), true)).toBe('private-address');
    }
  });

  test('is checked at every connection, so a name whose addresses change is refused', async () => {
    const answers = ['8.8.8.8', '127.0.0.1'];
    const rebinding: Resolve = (...parameters) => answering(answers.shift() ?? '')(...parameters);
    expect(await ask(rebinding, false)).toEqual(['8.8.8.8', 4]);
    expect(await ask(rebinding, false)).toBe('private-address');
  });

  test('that cannot be resolved gives the error of the resolver', async () => {
    const failing: Resolve = (_hostname, _options, callback) => {
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    };
    expect(await ask(failing, false)).toBe('ENOTFOUND');
    expect(await leadsInside('https://api.acme.example/', failing)).toBe(false);
    expect(await leadsInside('https://api.acme.example/', answering('192.168.0.9'))).toBe(true);
    expect(await leadsInside('https://api.acme.example/', answering('8.8.8.8'))).toBe(false);
  });
});
