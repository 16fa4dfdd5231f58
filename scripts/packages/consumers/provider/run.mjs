/** The packed provider starts with any values of its settings that it accepts, and has what its manifest declares. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { checkProvider, readManifest } from '@opencashier/provider-kit';

const [name = ''] = process.argv.slice(2);
const { createProvider } = await import(name);
const manifest = readManifest(readFileSync(new URL(`./node_modules/${name}/provider.json`, import.meta.url), 'utf8'));
const values = { apiUrl: 'https://api.example', afterDecline: 'end' };
const named = (names, of = {}) => Object.fromEntries(names.map((one) => [one, of[one] ?? 'x']));
const setup = { secrets: named(manifest.secrets), settings: named(manifest.settings, values), now: Date.now };
const provider = await createProvider(setup);
checkProvider(manifest, provider);
const stranger = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: Date.now() };
assert.equal((await provider.verify(stranger)).kind, 'rejected');
