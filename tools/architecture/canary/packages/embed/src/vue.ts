// breaks: embed-vue, embed-vue-no-node, declared-packages
import 'node:url';
import 'zustand';
import { h } from 'vue';
export const cashier = () => h('p');
