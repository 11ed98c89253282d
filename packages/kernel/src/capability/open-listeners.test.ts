import { expect, test } from "bun:test";
import { OpenListeners } from "./open-listeners.ts";

test("OpenListeners closes open listeners at the end, and late ones immediately", async () => {
  const log: string[] = [];
  const listener = (name: string): Parameters<OpenListeners["keep"]>[0] => ({
    host: "127.0.0.1",
    port: 1,
    close: async (timeoutMs) => void log.push(`${name} ${timeoutMs}`),
  });
  const releases: (() => unknown)[] = [];
  const listeners = new OpenListeners({ defer: (_, release) => void releases.push(release) });
  const closed = await listeners.keep(listener("closed"));
  await listeners.keep(listener("left"));
  await closed.close(7);

  for (const release of releases) await release();
  await listeners.keep(listener("late"));

  expect(log).toEqual(["closed 7", "left 500", "late 0"]);
});
