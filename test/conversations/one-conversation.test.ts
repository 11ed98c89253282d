import { channelPersonSchema } from "@incipit/schema";
import { RecordingBotServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createAcpWorld, messagesOf } from "../acp/acp-world.ts";
import { acpx, endAcpxSessions } from "../acp/acpx.ts";
import { HostProcess, incipit } from "../support/host-process.ts";
import { testBrowser } from "../page/browser.ts";
import { longestWaitMs } from "../page/until.ts";

const timeoutMs = 300_000;

test(
  "[byte-prefix] one conversation across editor, page, terminal and Telegram keeps prompt, prefix and history",
  async () => {
    await using scope = new AsyncDisposableStack();
    const bot = scope.use(new RecordingBotServer());
    const world = scope.use(
      await createAcpWorld(`append_system_prompt = "It is [system:time]."
[channels.telegram]
enabled = true
api_root = "${bot.url}"`),
    );
    const { model, options, cwd } = world;
    const home = join(options.data, "../home");
    await mkdir(home);
    const host = scope.use(await HostProcess.start({ ...options, env: { TELEGRAM_BOT_TOKEN: bot.token } }));
    const client = createClient({ url: host.url, token: host.token });
    const command = (...args: readonly string[]): ReturnType<typeof incipit> =>
      incipit([...args, "--data", options.data, "--config", options.config], { cwd, home });

    const created = await acpx(world, ["--format", "quiet", "sessions", "new"]);
    const id = created.stdout.trim();
    const first = await acpx(world, ["--format", "quiet", "In the editor"]);
    scope.defer(() => endAcpxSessions(world));

    const context = await (await testBrowser()).newContext();
    scope.defer(() => context.close());
    context.setDefaultTimeout(longestWaitMs);
    const page = await context.newPage();
    await page.goto(host.page);
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /In the editor/ })
      .first()
      .click();
    await page.getByText("Reply 1").first().waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("In the page");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Reply 2").first().waitFor();

    const third = await command("-s", id, "In the terminal");

    const ada = bot.person({ name: "Ada" });
    const code = (await command("channels", "pair", "telegram")).stdout.trim();
    ada.says(code);
    await bot.waitFor(({ sent }) => sent.length === 1);
    const people = (await command("channels", "people", "telegram", "--json")).stdout;
    const { id: chat } = channelPersonSchema.parse(JSON.parse(people));
    expect(await command("channels", "continue", "telegram", chat, id)).toMatchObject({ exitCode: 0 });
    await bot.waitFor(({ sent }) => sent.length === 2);
    ada.says("On Telegram");
    await bot.waitFor(({ sent }) => sent.length === 3);

    model.enqueueText("They said hello in four places.");
    await client.call(routes.compactConversation, { params: { id } });
    const last = await acpx(world, ["--format", "quiet", "In the editor again"]);
    await page.getByText("In the editor again").first().waitFor();

    expect([first.stdout, last.stdout]).toEqual(["Reply 1\n", "Reply 6\n"]);
    expect(third.stdout).toContain("Reply 3");
    expect(bot.sent.map(({ text }) => text).slice(1)).toEqual([
      'From now on, we continue with "In the editor" here.',
      "Reply 4",
    ]);
    const bodies = model.requests.map(({ body }) => messagesOf(body));
    const turns = bodies.slice(0, 4);
    expect(turns.map((messages) => messages.length)).toEqual([2, 4, 6, 8]);
    for (const [index, messages] of turns.slice(1).entries())
      expect(messages.slice(0, turns[index]?.length)).toEqual([...(turns[index] ?? [])]);
    const inFourPlaces = [
      "In the editor",
      "Reply 1",
      "In the page",
      "Reply 2",
      "In the terminal",
      "Reply 3",
      "On Telegram",
    ];
    expect(turns[3]?.slice(1).map(({ text }) => text)).toEqual(inFourPlaces);
    expect(JSON.stringify(bodies[5])).toContain("They said hello in four places.");
    const { constructions } = await host.constructions(id);
    expect(constructions.map(({ reason }) => reason).toSorted()).toEqual(["compaction", "first-turn"]);
    const { messages } = await client.call(routes.listMessages, { params: { id }, query: { order: "oldest" } });
    const said = messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    expect(said.flat()).toEqual([
      ...inFourPlaces,
      "Reply 4",
      "Summary of the conversation so far:\n\nThey said hello in four places.",
      "In the editor again",
      "Reply 6",
    ]);
  },
  timeoutMs,
);
