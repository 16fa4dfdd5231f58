import { mount } from 'svelte';
import App from './App.svelte';
import { readSite } from './site.ts';

const target = document.querySelector('#app');
if (target) mount(App, { target, props: { site: await readSite() } });
