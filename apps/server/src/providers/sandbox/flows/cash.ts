/** Cash: agents to be written to, or a number to be named at a till. */
import { digitsOf, type FlowAnswer, type FlowParts, referenceOf, timing } from './flow.ts';
import { steps } from './transfers.ts';

/** With `agentLink` the person writes to an agent; without it the number is paid at any till of the chain. */
export function cashAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit } = parts;
  const { agentLink } = deposit.providerOptions;
  const reference = referenceOf(payment);
  if (agentLink === undefined) return tillAnswer(parts, reference);
  const agents = ['North', 'Centre', 'South'].map((place, index) => ({
    name: `Agent ${place}`,
    value: `${agentLink}/${index + 1}`,
    type: 'agent',
  }));
  return {
    data: {
      ...timing(parts),
      buttonPay: agentLink,
      details: [...agents, { name: 'Reference', value: reference, type: 'text' }],
      instruction: {
        steps: steps('Write to an agent.', `Name ${reference} and hand over the exact amount.`, 'Keep the receipt.'),
      },
    },
  };
}

function tillAnswer(parts: FlowParts, reference: string): FlowAnswer {
  const number = digitsOf(parts.payment, 'till', 14);
  return {
    data: {
      ...timing(parts),
      unifiedFlow: true,
      requisites: [
        { name: 'till_number', title: 'Number for the till', value: number, isCopyable: true },
        { name: 'reference', title: 'Reference', value: reference, isCopyable: true },
      ],
      qrCodeText: number,
      buttons: [],
      instruction: {
        steps: steps('Show the code or say the number at the till.', 'Pay the exact amount.', 'Keep the receipt.'),
      },
    },
  };
}
