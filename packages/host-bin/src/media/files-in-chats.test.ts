import { createTempFolder, RecordingBotServer, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../config/parse-config.ts";
import { createHost } from "../create-host.ts";

test("the inbox stores files sent to the bot, and replies return files", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using bot = new RecordingBotServer({ isStrict: true });
  const cwd = join(folder.path, "work");
  await mkdir(cwd);
  await Bun.write(join(cwd, "out/report.pdf"), "%PDF-1.7 report");
  await Bun.write(join(cwd, "table.csv"), "a,b\n");
  const ada = bot.person({ id: 5_000_000_099 });
  const config = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
channels.telegram = { enabled = true, api_root = "${bot.url}", people = ["${ada.user.id}"] }
`;
  await using _ = await createHost({
    config: parseConfig(config, "incipit.toml"),
    dataFolder: join(folder.path, "data"),
    cwd,
    env: { TELEGRAM_BOT_TOKEN: bot.token },
    writeLog: () => {},
  });
  const calls = [{ id: "call", name: "send_file", arguments: JSON.stringify({ path: "table.csv" }) }];
  model.enqueue(
    { kind: "text", chunks: ["Here:\nMEDIA:./out/report.pdf\nMEDIA:../secret.pdf\nThat is all."] },
    { kind: "tool-calls", calls },
    { kind: "text", chunks: [""] },
  );
  const saw = (): readonly string[] =>
    ada.replies.map(({ text, document }) => text ?? new TextDecoder().decode(document && bot.bytesOf(document)));

  const notes = new TextEncoder().encode("notes");
  ada.sends({
    kind: "document",
    bytes: notes,
    name: "../my notes.txt",
    mediaType: "text/plain",
    caption: "Read it",
  });
  await bot.waitFor(() => ada.replies.length === 4);
  ada.says("And the table?");
  await bot.waitFor(() => ada.replies.length === 5);

  const [, path = ""] = /The user has sent a file: (\S+) \(5 bytes\)/.exec(model.requests[0]?.body ?? "") ?? [];
  expect(path).toMatch(/^\.incipit\/inbox\/\d{4}-\d\d-\d\d-my_notes\.txt$/);
  expect(await Bun.file(join(cwd, path)).text()).toBe("notes");
  expect(saw()).toEqual([
    "Here:",
    "%PDF-1.7 report",
    expect.stringContaining("MEDIA:../secret.pdf"),
    "That is all.",
    "a,b\n",
  ]);
  expect(model.requests[1]?.body).toContain('[MEDIA] Not sent with your last reply: \\"MEDIA:../secret.pdf\\"');
});
