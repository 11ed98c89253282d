import { expect, test } from "bun:test";
import { join } from "node:path";
import { MediaWorld } from "./testing/media-world.ts";

async function ask(world: MediaWorld, paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries())
    world.host.model.enqueue({
      kind: "tool-calls",
      calls: [{ id: `call-${index}`, name: "send_file", arguments: JSON.stringify({ path }) }],
    });
  world.host.model.enqueue({ kind: "text", chunks: ["There it is."] });
}

test("send_file answers immediately, and its files follow the reply of the same turn", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "report.pdf"), `%PDF-1.7 ${"x".repeat(12_000)}`);
  await Bun.write(join(world.cwd, "named.txt"), "Hello");
  await ask(world, ["./report.pdf", "report.pdf", "../secret.png", "named.txt"]);
  const turnId = await world.turn();
  const other = await world.turn();

  const told = world.host.model.requests.at(4)?.body ?? "";
  expect(told).toContain("report.pdf (12 KB) is sent with your reply");
  expect(told).toContain("named.txt (5 bytes) is sent with your reply");
  expect(told).toContain(
    `Cannot send \\"../secret.png\\": its path has \\"..\\"; it must stay in the working folder`,
  );
  const split = await world.split("MEDIA:./named.txt\nThere it is.", turnId);
  expect(split.parts).toMatchObject([
    { kind: "file", name: "named.txt" },
    { kind: "text", text: "There it is." },
    { kind: "file", name: "report.pdf", mediaType: "application/pdf" },
  ]);
  expect((await world.split("Hi.", other)).parts).toEqual([{ kind: "text", text: "Hi." }]);
});

test("files requested with send_file survive a restart and are delivered once, with their commit", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "a.txt"), "Hello");
  await ask(world, ["a.txt"]);
  const turnId = await world.turn();

  const before = await world.split("Hi.", turnId);
  await world.host.restart();
  const after = await world.split("Hi.", turnId);
  const beside = await world.split("Hi.", turnId);

  const parts = [{ kind: "text" }, { kind: "file", name: "a.txt" }];
  expect(before.parts).toMatchObject(parts);
  expect(after.parts).toMatchObject(parts);
  expect(await world.take(after)).toBe("committed");
  expect(await world.take(beside)).toBe("conflict");
  const again = await world.split("Hi.", turnId);
  expect({ parts: again.parts.length, taken: again.taken }).toEqual({ parts: 1, taken: undefined });
});

test("a file changed after send_file is validated again before sending", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "a.txt"), "Hello");
  await ask(world, ["a.txt"]);
  const turnId = await world.turn();
  await Bun.file(join(world.cwd, "a.txt")).delete();

  const { parts, note } = await world.split("Hi.", turnId);

  expect(parts.at(-1)).toEqual({ kind: "refused", line: "MEDIA:a.txt", why: "there is no such file" });
  expect(note).toBe('[MEDIA] Not sent with your last reply: "MEDIA:a.txt" (there is no such file)');
});

for (const hasChannel of [true, false])
  test(`models ${hasChannel ? "have" : "have no"} send_file while there is ${hasChannel ? "a" : "no"} channel`, async () => {
    await using world = await MediaWorld.start({ hasChannel });
    await world.turn();

    expect(world.host.model.requests[0]?.body.includes('"send_file"')).toBe(hasChannel);
  });
