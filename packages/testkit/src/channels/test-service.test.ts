import { FakeClock } from "@incipit/kernel";
import { channelConformance } from "../conformance/channel-conformance.ts";
import type { ChannelMishap, ChannelService, ChannelWriter } from "../conformance/channel-world.ts";
import { TestService } from "./test-service.ts";

function open(): ChannelService {
  const clock = new FakeClock();
  const service = new TestService();
  const mishaps: ChannelMishap[] = [];
  let attempts = 0;
  service.deliver = () => {
    attempts += 1;
    const kind = mishaps.shift();
    if (kind === undefined) return { kind: "sent", messageId: `m${attempts}` };
    return kind === "later" ? { kind, afterMs: 1_000, why: "Too much" } : { kind, why: "It was refused" };
  };
  const from = ({ senderId, chatId }: ChannelWriter) => ({ sender: { id: senderId }, chat: { id: chatId } });
  let last = "";
  return {
    connect: () => service.channel(clock),
    writers: [
      { chatId: "1", senderId: "ada" },
      { chatId: "2", senderId: "bob" },
    ],
    say: (text, writer) => void (last = service.say(text, from(writer))),
    edit: (text, writer) => service.give({ kind: "edit", messageId: last, text }, from(writer)),
    press: (button, writer) => service.give({ kind: "press", button }, from(writer)),
    sendFile(bytes, writer) {
      const file = {
        name: "a.bin",
        mediaType: "application/octet-stream",
        sizeBytes: bytes.length,
        async read({ maxBytes }: { readonly maxBytes: number }): Promise<typeof bytes> {
          if (bytes.length > maxBytes) throw new Error("It is too large");
          return bytes;
        },
      };
      service.give(
        { kind: "message", messageId: "f", text: "", files: [file], isAddressed: true, quoted: undefined },
        from(writer),
      );
    },
    taken: () =>
      service.sent.map(({ chatId, message }) =>
        message.kind === "text"
          ? { chatId, text: message.text }
          : { chatId, text: undefined, bytes: message.bytes },
      ),
    attempts: () => attempts,
    mishap: (kind) => void mishaps.push(kind),
    advance: (ms) => clock.advance(ms),
  };
}

channelConformance("of a service in memory", { open });
