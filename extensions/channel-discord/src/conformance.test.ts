import { channelConformance, FakeClock, type ChannelService, type DiscordFault } from "@incipit/testkit";
import { discordAt, openDiscord } from "./testing/discord-world.ts";

const cut = { kind: "cut", isTaken: false } as const;
const mishaps = {
  later: [{ kind: "refuse", status: 429, code: 0, message: "You are being rate limited.", retryAfterS: 2 }],
  failed: [{ kind: "refuse", status: 403, code: 50_007, message: "Cannot send messages to this user" }],
  // Every retry uses the same nonce.
  unknown: [cut, cut, cut],
} as const satisfies Record<string, readonly DiscordFault[]>;

async function open(scope: AsyncDisposableStack): Promise<ChannelService> {
  const clock = new FakeClock();
  const server = scope.use(discordAt(clock));
  const people = new Map(["Ada", "Bob"].map((name) => server.person({ name })).map((one) => [one.user.id, one]));
  // The service outlives hosts, and one world serves them all: only its channel is connected.
  const world = scope.use(
    await openDiscord({ server, clock, config: { people: [...people.keys()] }, isReceiving: false }),
  );
  const personOf = (chatId: string) => people.get(chatId) ?? server.person();
  const chatOf = (channelId: string): string =>
    [...people.values()].find((one) => one.channelId === channelId)?.user.id ?? channelId;
  const [ada = "", bob = ""] = [...people.keys()];
  let last: ReturnType<ReturnType<typeof personOf>["says"]> | undefined;
  return {
    connect: () => world.channel,
    writers: [
      { chatId: ada, senderId: ada },
      { chatId: bob, senderId: bob },
    ],
    say: (text, { chatId }) => void (last = personOf(chatId).says(text)),
    edit(text, { chatId }) {
      const said = last;
      if (said === undefined) return;
      // A message fetched later has its edited text.
      void server.waitFor(({ gateway }) => gateway.isConnected).then(() => personOf(chatId).edits(said, text));
    },
    press(id, { chatId }) {
      const { signal } = new AbortController();
      const message = { kind: "text", text: "?", buttons: [{ id, label: "Yes" }], replyTo: undefined } as const;
      // Discord does not replay presses from before the bot connected.
      void world.channel
        .send(chatId, message, signal)
        .then(() => server.waitFor(({ gateway }) => gateway.isConnected))
        .then(() => personOf(chatId).presses("Yes"));
    },
    sendFile: (bytes, { chatId }) => void personOf(chatId).sends({ name: "a.bin", bytes }),
    taken: () =>
      server.sent.map(({ channel_id: channelId, content, attachments }) => {
        const [file] = attachments;
        const bytes = file === undefined ? undefined : server.bytesOf(file);
        return { chatId: chatOf(channelId), text: content, ...(bytes === undefined ? {} : { bytes }) };
      }),
    attempts: () => server.nonces.size,
    mishap: (kind) => server.fail("POST /channels/:id/messages", ...mishaps[kind]),
    advance: (ms) => world.pass(ms),
  };
}

channelConformance("of Discord", { open });
