import { expect, test } from "bun:test";
import { defineExtension, type Extension } from "../contract/extension.ts";
import { defineHandle, definePoint } from "../contract/handle.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { newKernel } from "../testing/test-kernel.ts";

test("a standard extension uses only granted contracts of its manifest, a core extension all", async () => {
  const kernel = await newKernel();
  const used = defineHandle<object>("used@1");
  const point = definePoint("point@1");
  const reached: Record<string, readonly string[]> = {};
  const asking = (id: string): Extension =>
    defineExtension(
      {
        id,
        version: "1.0.0",
        api: "^1",
        dependsOn: { optional: ["used@1"] },
        contributes: ["point@1"],
        reads: ["point@1"],
      },
      (host) => {
        const uses = {
          uses: () => host.getService(used),
          contributes: () => host.contribute(point, {}),
          reads: () => host.contributions(point),
        };
        reached[id] = Object.entries(uses).flatMap(([use, reach]) => {
          try {
            reach();
            return [use];
          } catch (error) {
            return KernelError.is(error) ? [] : ["failed"];
          }
        });
      },
    );

  await kernel.add([
    { extension: asking("whole"), trust: "standard" },
    { extension: asking("none"), trust: "standard", grant: {} },
    { extension: asking("some"), trust: "standard", grant: { reads: ["point@1"], uses: ["other@1"] } },
    { extension: asking("own"), trust: "core", grant: {} },
  ]);

  const all = ["uses", "contributes", "reads"];
  expect(reached).toEqual({ whole: all, none: [], some: ["reads"], own: all });
  const some = kernel.list().find(({ id }) => id === "some");
  expect(some).toMatchObject({
    asked: { uses: ["used@1"], contributes: ["point@1"], reads: ["point@1"] },
    granted: { uses: [], reads: ["point@1"] },
    refusals: { count: 2, latest: [{ message: expect.stringContaining('grant it under "contributes"') }, {}] },
  });
});
