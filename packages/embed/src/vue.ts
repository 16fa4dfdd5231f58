/** The SDK as a Vue component: `<Cashier :options="…" :open="…" />`. */
import { defineComponent, h, onBeforeUnmount, onMounted, type PropType, shallowRef, watch } from 'vue';
import type { Cashier as CashierHandle } from './cashier.ts';
import { connect, keyOf, type WrapperOptions } from './connect.ts';

export type { WrapperOptions } from './connect.ts';

/**
 * Shows the cashier inline, or as a modal while `open` is true. Set `open` to false in `options.onClose`. Callbacks may be replaced at
 * any time; a change of any other option starts the cashier again.
 */
export const Cashier = defineComponent({
  name: 'OpenCashier',
  props: {
    options: { type: Object as PropType<WrapperOptions>, required: true },
    open: { type: Boolean, default: true },
    /** Whether to load it while it is not shown. Set it when the user may be about to open it. */
    preload: { type: Boolean, default: false },
  },
  setup(props) {
    const container = shallowRef<HTMLElement>();
    let handle: CashierHandle | undefined;
    const show = () => {
      if (props.open) handle?.open();
      else if (props.preload) handle?.preload();
    };
    const start = () => {
      handle?.destroy();
      handle = connect(() => props.options, container.value);
      show();
    };
    onMounted(start);
    watch(() => keyOf(props.options), start);
    watch(
      () => props.open,
      (open) => {
        if (open) handle?.open();
        else handle?.close();
      },
    );
    watch(() => props.preload, show);
    onBeforeUnmount(() => handle?.destroy());
    return () => h('div', { ref: container });
  },
});
