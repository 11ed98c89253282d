import { undoWords } from "@incipit/cli-text";
import { conversationIdSchema, messageIdSchema, restoreFilesRequestSchema } from "@incipit/schema";
import { createClient } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { recordOutput } from "../testing/recorded-output.ts";
import { putBack } from "./undo.ts";

test("putBack reports restored files before the next request, which may fail", async () => {
  let count = 0;
  const client = createClient({
    url: "http://127.0.0.1:1",
    fetch: async (_url, init) => {
      count += 1;
      if (count > 1) throw new Error("The host has gone");
      const { paths } = restoreFilesRequestSchema.parse(await new Request("http://127.0.0.1", init).json());
      const files = paths.map((path) => ({ path, outcome: "written", isKept: true }));
      return Response.json({ files, restoration: Bun.randomUUIDv7() });
    },
  });
  const way = {
    id: conversationIdSchema.parse(Bun.randomUUIDv7()),
    range: { from: messageIdSchema.parse(Bun.randomUUIDv7()) },
    words: undoWords,
  };
  const paths = Array.from({ length: 1_001 }, (_, index) => `/work/file-${index}`);
  const { output, stderr } = recordOutput();

  const failed: unknown = await putBack(client, way, { paths, cwd: "/work", output }).catch(
    (error: unknown) => error,
  );

  expect(failed).toBeInstanceOf(Error);
  expect(stderr()).toContain("Restored: file-0, file-1, ");
  expect(stderr()).toContain("file-999");
  expect(stderr()).not.toContain("file-1000");
});
