import { toolsPoint, type Tool } from "@incipit/service-contract";
import { createMemoryStorage, startExtension, toolConformance, type StartedExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const note = { title: "otter", text: "likes fish" };
const context = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };

function toolOf(started: StartedExtension, name: string): Tool {
  const tool = started.contributions(toolsPoint).find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}`);
  return tool;
}

toolConformance("write_note", {
  takes: [note, { title: "é", text: "" }],
  refuses: [{ title: "", text: "no title" }],
  open: async (scope) => toolOf(scope.use(await startExtension(extension)), "write_note"),
});

toolConformance("read_notes", {
  takes: [{}],
  open: async (scope) => toolOf(scope.use(await startExtension(extension)), "read_notes"),
});

test("read_notes returns notes of write_note, across restarts, one per title", async () => {
  const storage = createMemoryStorage();
  {
    await using started = await startExtension(extension, { storage });
    expect(await toolOf(started, "read_notes").execute({}, context)).toBe("There are no notes");
    expect(await toolOf(started, "write_note").execute({ ...note, text: "unknown" }, context)).toBe('Kept "otter"');
    await toolOf(started, "write_note").execute(note, context);
    await toolOf(started, "write_note").execute({ title: "bear", text: "likes honey" }, context);
  }
  await using started = await startExtension(extension, { storage });

  expect(await toolOf(started, "read_notes").execute({}, context)).toBe("bear: likes honey\notter: likes fish");
});

test("extension does not start without storage and reports why", async () => {
  const failure = await startExtension(extension, { grant: {} }).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "CAPABILITY_DENIED", extension: "acme.notebook" });
});
