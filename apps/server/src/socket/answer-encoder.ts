/** Writes packets as Socket.IO does, but the shared part of an answer only once for all callers. */
import type { Acknowledgement } from '@opencashier/contract/api';
import { Encoder, type Packet, PacketType } from 'socket.io-parser';
import { joinedText } from '../dispatch/answer-json.ts';

export class AnswerEncoder extends Encoder {
  override encode(packet: Packet): ReturnType<Encoder['encode']> {
    if (packet.type !== PacketType.ACK || packet.nsp !== '/') return super.encode(packet);
    const [acknowledgement] = packet.data as [Acknowledgement | undefined];
    const json = joinedText(acknowledgement?.data);
    if (acknowledgement === undefined || json === undefined) return super.encode(packet);
    const { data: _d, ...others } = acknowledgement;
    return [`${PacketType.ACK}${packet.id}[{"data":${json},${JSON.stringify(others).slice(1)}]`];
  }
}
