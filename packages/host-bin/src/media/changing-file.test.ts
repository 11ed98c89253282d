import { createFileSystem, systemClock } from "@incipit/host/drivers";
import { toolsPoint } from "@incipit/service-contract";
import { answerText, createTempFolder, startExtension } from "@incipit/testkit";
import media from "@incipit/attachments";
import { expect, test } from "bun:test";
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { silentChannelExtension } from "./testing/silent-channel.ts";

for (const [what, change] of [
  ["grows", (path: string) => appendFile(path, "more")],
  ["is written over with as many bytes", async (path: string) => void (await Bun.write(path, "World"))],
  ["goes", (path: string) => rm(path)],
] as const)
  test(`a file that ${what} during the read is not sent`, async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "a.txt");
    await Bun.write(path, "Hello");
    let isChanged = false;
    await using started = await startExtension([media, silentChannelExtension], {
      drivers: {
        fs(extension, grant) {
          const files = createFileSystem(extension, grant, { clock: systemClock });
          return {
            ...files,
            async readFile(...call) {
              const read = await files.readFile(...call);
              if (isChanged) await change(path);
              isChanged = false;
              return read;
            },
          };
        },
      },
    });
    const tool = started.contribution(toolsPoint);
    const { signal } = new AbortController();
    const send = (): Promise<string> =>
      Promise.resolve(
        tool.execute({ path: "a.txt" }, { conversationId: "c", turnId: "t", cwd: folder.path, signal }),
      )
        .then(answerText)
        .catch((error: Error) => error.message);

    expect(await send()).toBe("a.txt (5 bytes) is sent with your reply");
    isChanged = true;
    expect(await send()).toBe('Cannot send "a.txt": it changed during reading');
  });
