import { describe, expect, test } from 'vitest';
import { agentsOf, cashRows } from './model.ts';

const agent = (name: string, value: string) => ({ name, value, type: 'agent' });
const method = { flags: { agentLink: 'https://agents.example/in' } };

describe('[DEP-13] the agents of a cash payment', () => {
  test('are those that the answer names', () => {
    const details = [agent('North', 'https://agents.example/1'), agent('', 'https://agents.example/2')];
    expect(agentsOf({ details }, method, 'Agent')).toEqual([
      { name: 'North', href: 'https://agents.example/1' },
      { name: 'Agent', href: 'https://agents.example/2' },
    ]);
  });

  test('[FORM-9] a contact with an unsafe link is left out', () => {
    const details = [agent('Evil', 'javascript:alert(1)'), agent('File', 'file:///etc/passwd')];
    expect(agentsOf({ details, buttonPay: 'data:text/html,x' }, { flags: {} }, 'Agent')).toEqual([]);
    expect(agentsOf({}, { flags: { agentLink: 'javascript:alert(1)' } }, 'Agent')).toEqual([]);
    expect(agentsOf({ details }, method, 'Agent')).toEqual([{ name: 'Agent', href: 'https://agents.example/in' }]);
  });

  test('an app of the agent is opened when the method declares its scheme', () => {
    const details = [agent('Chat', 'tg://resolve?domain=agent')];
    expect(agentsOf({ details }, { flags: {} }, 'Agent')).toEqual([]);
    expect(agentsOf({ details }, { flags: { linkSchemes: ['tg'] } }, 'Agent')).toHaveLength(1);
  });

  test('a detail that is no contact is shown as a text for the agent', () => {
    const details = [agent('North', 'https://agents.example/1'), { name: 'Reference', value: 'SBX1', type: 'text' }];
    expect(cashRows({ details }).map(({ title, copied }) => `${title}: ${copied}`)).toEqual(['Reference: SBX1']);
  });
});
