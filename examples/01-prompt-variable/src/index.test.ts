import { promptVariablesPoint } from "@incipit/service-contract";
import { promptVariablesConformance, startExtension, type TestFiles } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const otter = { "/work/package.json": '{ "name": "otter", "version": "1.2.3" }' };

async function answer(files: TestFiles, name: string): Promise<unknown> {
  await using started = await startExtension(extension, { files });
  const { signal } = new AbortController();
  const context = { cwd: "/work", model: undefined, conversationId: undefined, signal };
  return await started.contribution(promptVariablesPoint).resolve(name, context);
}

promptVariablesConformance("package", {
  present: ["name", "version"],
  async open(scope) {
    return scope.use(await startExtension(extension, { files: otter })).contribution(promptVariablesPoint);
  },
});

test("package:NAME returns the field of package.json in the working directory", async () => {
  expect(await answer(otter, "name")).toEqual({ value: "otter" });
  expect(await answer(otter, "version")).toEqual({ value: "1.2.3" });
});

test("package:NAME is absent, with a reason, when the field is missing", async () => {
  expect(await answer(otter, "description")).toEqual({ absent: "not-set" });
  expect(await answer(otter, "author")).toEqual({ absent: "not-found" });
  expect(await answer({}, "name")).toEqual({ absent: "not-found" });
  expect(await answer({ "/work/package.json": "{" }, "name")).toEqual({ absent: "failed" });
});
