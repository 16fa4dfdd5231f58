/** Cash: the payer contacts an agent, or names a number at a till. */
import { digitsOf, type FlowAnswer, type FlowParts, referenceOf, steps, timing } from './flow.ts';

/** With `agentLink` the payer writes to an agent. Without it the payer names the number at any till of the chain. */
export function cashAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit, texts } = parts;
  const { agentLink } = deposit.providerOptions;
  const reference = referenceOf(payment);
  if (agentLink === undefined) return tillAnswer(parts, reference);
  const agents = (['agent.north', 'agent.centre', 'agent.south'] as const).map((agent, index) => ({
    name: texts.say(agent),
    value: `${agentLink}/${index + 1}`,
    type: 'agent',
  }));
  return {
    data: {
      ...timing(parts),
      buttonPay: agentLink,
      details: [...agents, { name: texts.say('requisite.reference'), value: reference, type: 'text' }],
      instruction: {
        steps: steps(
          texts.say('step.writeAgent'),
          texts.say('step.handOver', { reference }),
          texts.say('step.keepReceipt'),
        ),
      },
    },
  };
}

function tillAnswer(parts: FlowParts, reference: string): FlowAnswer {
  const { texts } = parts;
  const number = digitsOf(parts.payment, 'till', 14);
  return {
    data: {
      ...timing(parts),
      unifiedFlow: true,
      requisites: [
        { name: 'till_number', title: texts.say('requisite.tillNumber'), value: number, isCopyable: true },
        { name: 'reference', title: texts.say('requisite.reference'), value: reference, isCopyable: true },
      ],
      qrCodeText: number,
      buttons: [],
      instruction: {
        steps: steps(texts.say('step.showCode'), texts.say('step.payExact'), texts.say('step.keepReceipt')),
      },
    },
  };
}
