import { createApp } from 'vue';
import App from './App.vue';
import { readSite } from './site.ts';

createApp(App, { site: await readSite() }).mount('#app');
