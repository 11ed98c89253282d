import { createTempFolder, RecordingBotServer, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, testedCommand } from "../support/host-process.ts";

/** Limits files to 2 MiB, like a full disk, until the limit is raised. */
const limited = ["sh", "-c", `trap "" XFSZ; ulimit -S -f 2048; exec "$@"`, "sh", ...testedCommand];

// Only prlimit can raise the limit of a running process: https://man7.org/linux/man-pages/man1/prlimit.1.html
test.skipIf(process.platform !== "linux")(
  "[never-lost] a full disk loses no Telegram message: it gets one answer or a notice",
  async () => {
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    await using bot = new RecordingBotServer({ isStrict: true });
    const ada = bot.person({ name: "Ada" });
    const config = join(folder.path, "incipit.toml");
    await Bun.write(
      config,
      `model = "local/test"
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
[channels.telegram]
enabled = true
api_root = "${bot.url}"
people = ["${ada.user.id}"]
`,
    );
    await using host = await HostProcess.start({
      data: join(folder.path, "data"),
      config,
      cwd: folder.path,
      env: { TELEGRAM_BOT_TOKEN: bot.token },
      command: limited,
    });
    ada.says("One");
    await bot.waitFor(() => ada.replies.length === 1);
    const { id } = await host.createConversation();
    let status = 0;
    for (const length of [20_000, 1_000, 10])
      for (let count = 0; count < 500; count += 1) {
        const body = { input: `more ${count} ${"y".repeat(length)}` };
        ({ status } = await host.fetch(`/conversations/${id}/turns`, {
          body,
          headers: { prefer: "respond-async" },
        }));
        if (status === 507) break;
      }

    ada.says("Two");
    // Requested again until there is room, also in small remnants.
    const asked = bot.callsOf("getUpdates").length;
    await bot.waitFor(() => bot.callsOf("getUpdates").length >= asked + 2);
    await Bun.spawn(["prlimit", "--pid", String(host.pid), "--fsize=unlimited:"]).exited;
    await bot.waitFor(() => ada.replies.length === 2 && bot.pending.length === 0);
    ada.says("Three");
    await bot.waitFor(() => ada.replies.length === 3);

    expect(status).toBe(507);
    const said = (text: string): number =>
      model.requests.filter(({ body }) => body.endsWith(`"content":"${text}"}]}`)).length;
    // Room for the message may not suffice for its turn: its sender is notified, and no model is called.
    const isTold = ada.replies[1]?.text?.endsWith("Please send it again.") === true;
    expect([said("One"), said("Two"), said("Three")]).toEqual([1, isTold ? 0 : 1, 1]);
  },
  300_000,
);
