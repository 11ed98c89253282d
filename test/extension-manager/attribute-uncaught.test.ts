import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, writeExtension } from "./manager-world.ts";

const oddErrors: readonly unknown[] = [
  Object.assign(new Error("odd"), { stack: 5 }),
  Object.assign(new Error("odd"), { stack: undefined }),
  Object.create(null),
  undefined,
];

test("attribute accepts any thrown value and logs which extensions may have caused it", async () => {
  await using world = await createManagerWorld();
  const ids = ["acme.one", "acme.two"];
  for (const id of ids) {
    const path = join(world.root, id);
    await writeExtension(path, { manifest: { id } });
    await world.client.call(routes.addExtension, { body: { path } });
  }

  for (const [index, error] of oddErrors.entries()) {
    expect(world.attribute(error)).toBe(true);
    expect(world.logs.filter((line) => ids.every((id) => line.includes(id)))).toHaveLength(index + 1);
  }
});

test("attribute logs the stack of an ambiguous error and rejects one that only the host can cause", async () => {
  await using world = await createManagerWorld();
  const error = new Error("a defect of the host");
  expect(world.attribute(error)).toBe(false);
  await writeExtension(world.path);
  await world.client.call(routes.addExtension, { body: { path: world.path } });

  expect(world.attribute(error)).toBe(true);

  const line = world.logs.find((each) => each.includes("of an unknown extension or the host"));
  expect(line).toContain("attribute-uncaught.test.ts");
});
