/** Every entry is loaded where there is no browser, as a server that draws pages loads it. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCashier } from '@opencashier/embed';
import { defineCashierElement } from '@opencashier/embed/element';
import { Cashier } from '@opencashier/embed/react';
import { cashier } from '@opencashier/embed/svelte';
import { Cashier as VueCashier } from '@opencashier/embed/vue';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createSSRApp } from 'vue';

for (const made of [createCashier, defineCashierElement, cashier]) assert.equal(typeof made, 'function');

const options = { cashierUrl: 'https://pay.example.com', partner: 'acme' };
assert.equal(renderToStaticMarkup(createElement(Cashier, { ...options, className: 'pay' })), '<div class="pay"></div>');
assert.doesNotThrow(() => createSSRApp(VueCashier, { options }));

const fileOf = (entry) => readFileSync(fileURLToPath(import.meta.resolve(entry)), 'utf8');
assert.match(fileOf('@opencashier/embed/react'), /^['"]use client['"];/);
assert.match(fileOf('@opencashier/embed/cashier.global.js'), /^var OpenCashier=/);
