import { expect, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:net";
import { ownPort } from "./own-port.ts";

test("a port that somebody has is passed over, and none is given twice", async () => {
  const given = await ownPort();
  const other = createServer().listen(given + 1, "127.0.0.1");
  // Somebody else may have it already, which is as good.
  await once(other, "listening").catch(() => undefined);
  const next = [await ownPort(), await ownPort()];
  other.close();

  expect(next).not.toContain(given);
  expect(next).not.toContain(given + 1);
  expect(next[0]).not.toBe(next[1]);
});
