/** The head of the first page. Below it is docs/README.md. */
export const firstPage = {
  title: 'OpenCashier',
  description: 'An open, self-hostable payment cashier: widget, host SDK and a backend with a ledger.',
  hero: {
    tagline: 'An open, self-hostable payment cashier: a widget, its host SDK and a backend with a ledger.',
    actions: [
      { text: 'Put it into your site', link: 'integrate/', icon: 'right-arrow', variant: 'primary' },
      { text: 'Run it', link: 'operate/', variant: 'secondary' },
      { text: 'Try it', link: 'demo/', variant: 'minimal' },
    ],
  },
};
