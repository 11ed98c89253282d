import { stepRecordSchema, type StepRecord } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { bareRecord } from "../testing/bare-record.ts";
import { exportFolder } from "./export-folder.ts";

const { id, startedAt: at } = bareRecord.step;
const sha256 = "a".repeat(64);
const head = { method: "POST", url: "http://model.test/v1", at, headers: { accept: "*/*" }, body: "{ }" };
const request = { ...head, sha256, storedSha256: sha256, isRedacted: false, redactions: [] };

function recordOf(given: Partial<Record<keyof StepRecord, unknown>>): StepRecord {
  return stepRecordSchema.parse({ ...bareRecord, ...given });
}

test("exportFolder writes the known parts of a step and explains missing ones", async () => {
  await using temp = await createTempFolder();
  const folder = join(temp.path, "new/there");
  const requestProblem = { code: "GONE", message: "It is kept no longer" };

  expect(await exportFolder(recordOf({ requestProblem }), folder)).toBe(folder);

  const files = ["README.md", "audit.json", "index.html", "record.json", "reply.json"];
  expect((await readdir(folder)).toSorted()).toEqual(files);
  expect(await readdir(join(temp.path, "new"))).toEqual(["there"]);
  const readme = await Bun.file(join(folder, "README.md")).text();
  expect(readme).toContain("- request.json: not there: It is kept no longer\n");
  expect(readme).toContain("- explain.json: not there: the conversation has another prompt by now\n");
  const page = await Bun.file(join(folder, "index.html")).text();
  for (const said of [
    "<pre>not known</pre>",
    "<p>Not known.</p>",
    "<pre>none is kept</pre>",
    "<pre>not kept</pre>",
  ])
    expect(page).toContain(said);
});

test("exportFolder writes request, system message and messages as sent, or notes that they differ", async () => {
  await using temp = await createTempFolder();
  const parts = [{ type: "text", text: '<b>"Hi" & bye</b>' }];
  const messages = [{ id, role: "user", turnId: id, epoch: 1, createdAt: at, parts }];
  const known = {
    systemTexts: ["One.", "Two."],
    tools: [],
    messages,
    reply: { ...messages[0], role: "assistant" },
  };
  const exact = await exportFolder(recordOf({ ...known, request }), join(temp.path, "exact"));
  const redacted = await exportFolder(
    recordOf({ request: { ...request, isRedacted: true } }),
    join(temp.path, "b"),
  );
  const textOf = (folder: string, name: string): Promise<string> => Bun.file(join(folder, name)).text();

  expect(await textOf(exact, "request.json")).toBe("{ }");
  expect(await textOf(exact, "request-head.txt")).toBe("POST http://model.test/v1\naccept: */*\n");
  expect(await textOf(exact, "system-prompt.txt")).toBe("One.\n\nTwo.");
  expect(await textOf(exact, "README.md")).toContain("- request.json: the body that left, byte for byte\n");
  expect(await textOf(redacted, "README.md")).toContain("[redacted:KIND] in place of secrets\n");
  const shown = "<pre>&lt;b&gt;&quot;Hi&quot; &amp; bye&lt;/b&gt;</pre>";
  const page = await textOf(exact, "index.html");
  expect(page).toContain(`<h3>user</h3>${shown}`);
  expect(page).toContain(`<h2>Reply</h2>\n${shown}`);
  expect(page).toContain("<pre>One.</pre>\n<pre>Two.</pre>");
});

test("exportFolder replaces only an empty folder", async () => {
  await using temp = await createTempFolder();
  const empty = join(temp.path, "empty");
  const full = join(temp.path, "full");
  const file = join(temp.path, "file");
  await mkdir(empty);
  await Bun.write(join(full, "mine"), "kept");
  await Bun.write(file, "kept");
  const failureOf = (path: string): Promise<unknown> =>
    exportFolder(recordOf({}), path).catch((error: unknown) => error);

  await exportFolder(recordOf({}), empty);

  expect((await readdir(empty)).length).toBeGreaterThan(0);
  expect(await failureOf(full)).toMatchObject({ message: expect.stringContaining("is not empty") });
  expect(await failureOf(file)).toMatchObject({ message: expect.stringContaining("not a folder") });
  expect((await readdir(temp.path)).toSorted()).toEqual(["empty", "file", "full"]);
  expect(await readdir(full)).toEqual(["mine"]);
});
