import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/route-call.ts";

export function channelHandlers({ chats }: Services) {
  const service = () => need(chats, "list of channels");
  return {
    listChannels: async (call) => call.answer({ channels: [...(await service().channels())] }),
    listChannelMessages: async (call) => {
      const { items, ...rest } = await service().messages(call.param("id"), call.query());
      return call.answer({ messages: [...items], ...rest });
    },
    retryChannelMessage: async (call) => {
      const message = await service().retry(call.param("id"), call.param("message"));
      return call.answer({ message });
    },
    sendToChannel: async (call) => {
      const body = await call.body();
      const messages = await service().send(call.param("id"), body);
      return call.answer({ messages: [...messages] });
    },
    continueInChat: async (call) => {
      const body = await call.body();
      const messages = await service().continueIn(call.param("id"), call.param("chat"), body);
      return call.answer({ messages: [...messages] });
    },
    createPairingCode: async (call) => {
      const pairingCode = await service().createPairingCode(call.param("id"));
      return call.answer({ pairingCode });
    },
    listChannelPeople: async (call) => {
      const people = await service().people(call.param("id"));
      return call.answer({ people: [...people] });
    },
    removeChannelPerson: async (call) => {
      await service().removePerson(call.param("id"), call.param("person"));
      return call.answer({ deleted: true });
    },
  } satisfies Partial<Handlers>;
}
