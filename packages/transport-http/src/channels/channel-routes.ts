import type { Chats } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";

type ChannelRoute =
  | "listChannels"
  | "listChannelMessages"
  | "retryChannelMessage"
  | "sendToChannel"
  | "continueInChat"
  | "createPairingCode"
  | "listChannelPeople"
  | "removeChannelPerson";

export function channelHandlers({ chats, clock }: Services): Handlers<ChannelRoute> {
  const service = (): Chats => need(chats, "list of channels");
  return {
    listChannels: async () => answer(routes.listChannels, { channels: [...(await service().channels())] }),
    listChannelMessages: async (context) => {
      const page = check(routes.listChannelMessages.query, context.req.query());
      const { items, ...rest } = await service().messages(param(context, "id"), page);
      return answer(routes.listChannelMessages, { messages: [...items], ...rest });
    },
    retryChannelMessage: async (context) => {
      const message = await service().retry(param(context, "id"), param(context, "message"));
      return answer(routes.retryChannelMessage, { message });
    },
    sendToChannel: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.sendToChannel.body, { clock, signal });
      const messages = await service().send(param(context, "id"), body);
      return answer(routes.sendToChannel, { messages: [...messages] });
    },
    continueInChat: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.continueInChat.body, { clock, signal });
      const messages = await service().continueIn(param(context, "id"), param(context, "chat"), body);
      return answer(routes.continueInChat, { messages: [...messages] });
    },
    createPairingCode: async (context) => {
      const pairingCode = await service().createPairingCode(param(context, "id"));
      return answer(routes.createPairingCode, { pairingCode });
    },
    listChannelPeople: async (context) => {
      const people = await service().people(param(context, "id"));
      return answer(routes.listChannelPeople, { people: [...people] });
    },
    removeChannelPerson: async (context) => {
      await service().removePerson(param(context, "id"), param(context, "person"));
      return answer(routes.removeChannelPerson, { deleted: true });
    },
  };
}
