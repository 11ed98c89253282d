import { expect, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:net";
import { ownPort } from "./own-port.ts";

test("ownPort skips a used port and returns none twice", async () => {
  const given = await ownPort();
  const other = createServer().listen(given + 1, "127.0.0.1");
  // It may already be in use, which serves as well.
  await once(other, "listening").catch(() => undefined);
  const next = [await ownPort(), await ownPort()];
  other.close();

  expect(next).not.toContain(given);
  expect(next).not.toContain(given + 1);
  expect(next[0]).not.toBe(next[1]);
});
