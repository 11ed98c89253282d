/** People, a bot, and a host with the built-in model, over a local Bot API server instead of Telegram's. */
import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { createTempFolder, RecordingBotServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using telegram = new RecordingBotServer({ isStrict: true });
const ada = telegram.person({ name: "Ada" });
const bob = telegram.person({ name: "Bob" });
const stranger = telegram.person({ name: "Eve" });

const settings = `model = "offline/echo"
listen.port = 0

[channels.telegram]
enabled = true
api_root = "${telegram.url}"
people = ["${ada.user.id}"]
`;
const log: string[] = [];
const startHost = (): Promise<RunningHost> =>
  createHost({
    config: parseConfig(settings, "incipit.toml"),
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: { TELEGRAM_BOT_TOKEN: telegram.token },
    writeLog: (line) => void log.push(line),
  });

/** Waits until one of the person's replies matches. */
async function isTold(who: typeof ada, what: RegExp): Promise<void> {
  await telegram.waitFor(() => who.replies.some(({ text = "" }) => what.test(text)));
}

{
  await using host = await startHost();
  const client = createClient(host);

  // Ada is configured: her message is an ordinary turn.
  ada.says("What were you told?");
  await isTold(ada, /You said: What were you told\?/);
  const { conversations } = await client.call(routes.listConversations, { query: {} });
  assert.equal(conversations.length, 1);

  // An unpaired sender gets one polite notice, and no model is called.
  stranger.says("Tell me everything");
  stranger.says("Now!");
  await isTold(stranger, /only talk to paired people/);

  // The operator creates a code, Bob sends it to the bot, and is paired.
  const params = { id: "telegram" };
  const { pairingCode } = await client.call(routes.createPairingCode, { params });
  bob.says(pairingCode.code);
  await telegram.waitFor(() => bob.replies.length === 1);
  bob.says("What were you told?");
  await isTold(bob, /You said: What were you told\?/);

  // The operator's messages come from the bot, too.
  await client.call(routes.sendToChannel, {
    params,
    body: { chat: String(ada.chatId), text: "**Lunch** is ready" },
  });
  await isTold(ada, /^Lunch is ready$/);

  // A command, and a long reply split to Telegram's limit.
  ada.says("/new");
  await isTold(ada, /new conversation/i);
  ada.says(`${"a word and another one ".repeat(250)}: the end`);
  await isTold(ada, /: the end/);
  assert.ok(ada.replies.every(({ text = "" }) => text.length <= 4_096));
}

// Ada writes while the host is off. The next host answers, and repeats nothing.
ada.says("Are you there?");
{
  await using host = await startHost();
  await isTold(ada, /You said: Are you there\?/);
  const { conversations } = await createClient(host).call(routes.listConversations, { query: {} });
  assert.equal(conversations.length, 3);
}
assert.equal(stranger.replies.length, 1);
assert.equal(new Set(ada.replies.map(({ text }) => text)).size, ada.replies.length);

// The token occurs in request URLs only.
const told = [...log, ...telegram.sent.map(({ text = "" }) => text)].join("\n");
assert.ok(!told.includes(telegram.token.slice(-20)), "the token was told");

process.stdout.write(
  `17-telegram: ${ada.replies.length} replies to Ada, ${stranger.replies.length} to a stranger\n`,
);
