import { RecordingBotServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { missingClient, pythonClient } from "./python-client.ts";

/** May be missing locally; CI installs it and fails without it. */
const missing = process.env["CI"] === "true" ? undefined : missingClient();
const why = missing === undefined ? "" : ` (${missing})`;

test.skipIf(missing !== undefined)(
  `RecordingBotServer answers an independently written client as Telegram does${why}`,
  async () => {
    await using server = new RecordingBotServer({ isStrict: true });
    const ada = server.person({ name: "Ada" });
    ada.says("hello");
    ada.sends({ kind: "photo", bytes: new Uint8Array([7, 8]) });
    server.fail("sendChatAction", {
      kind: "refuse",
      status: 429,
      description: "Too Many Requests: retry after 3",
      retryAfterS: 3,
    });

    const script = join(import.meta.dir, "python-client.py");
    const command = [pythonClient.program, script, server.url, server.token, String(ada.chatId)];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: 60_000 });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);

    expect({ exitCode: await child.exited, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      me: "incipit_test_bot",
      said: ["hello"],
      photo: [7, 8],
      left: 0,
      sent: ["So it is", "bold", "yes"],
      edited: "It is",
      document: 2,
      commands: true,
      webhook: "",
      long: ["BadRequest", "Message is too long"],
      nobody: ["BadRequest", "Chat not found"],
      busy: ["RetryAfter", "Flood control exceeded. Retry in 3.0 seconds"],
      stranger: ["InvalidToken", "Invalid token"],
    });
    expect(ada.replies).toMatchObject([{ text: "It is" }, { document: { file_name: "a b.bin" } }]);
  },
);
