import { channelConformance, RecordingBotServer, type BotFault, type ChannelService } from "@incipit/testkit";
import { openTelegram } from "./testing/telegram-world.ts";

const mishaps = {
  later: { kind: "refuse", status: 429, description: "Too Many Requests: retry after 2", retryAfterS: 2 },
  failed: { kind: "refuse", status: 403, description: "Forbidden: bot was blocked by the user" },
  unknown: { kind: "cut", isTaken: true },
} as const satisfies Record<string, BotFault>;

async function open(scope: AsyncDisposableStack): Promise<ChannelService> {
  const server = scope.use(new RecordingBotServer({ isStrict: true }));
  // The service outlives hosts, and one world serves them all: only its channel is connected.
  const world = scope.use(await openTelegram({ server, isReceiving: false }));
  const { channel } = world;
  const people = new Map(
    ["Ada", "Bob"].map((name) => server.person({ name })).map((one) => [String(one.chatId), one]),
  );
  const personOf = (chatId: string) => people.get(chatId) ?? server.person();
  const [ada = "", bob = ""] = [...people.keys()];
  const sending = (): typeof server.calls =>
    server.calls.filter(({ method }) => /^send(?!ChatAction|MessageDraft)/.test(method));
  let last: ReturnType<ReturnType<typeof personOf>["says"]> | undefined;
  return {
    connect: () => channel,
    writers: [
      { chatId: ada, senderId: ada },
      { chatId: bob, senderId: bob },
    ],
    say: (text, { chatId }) => void (last = personOf(chatId).says(text)),
    edit(text, { chatId }) {
      if (last !== undefined) personOf(chatId).edits(last, text);
    },
    press(id, { chatId }) {
      const { signal } = new AbortController();
      const message = { kind: "text", text: "?", buttons: [{ id, label: "Yes" }], replyTo: undefined } as const;
      void channel.send(chatId, message, signal).then(() => personOf(chatId).presses("Yes"));
    },
    sendFile: (bytes, { chatId }) => void personOf(chatId).sends({ kind: "document", bytes, name: "a.bin" }),
    taken: () =>
      server.sent.map(({ chat, text, document }) => {
        const file = document === undefined ? undefined : server.bytesOf(document);
        return { chatId: String(chat.id), text, ...(file === undefined ? {} : { bytes: file }) };
      }),
    attempts: () => sending().length,
    mishap: (kind) => server.fail("sendMessage", mishaps[kind]),
    advance: (ms) => world.pass(ms),
  };
}

channelConformance("of Telegram", { open });
