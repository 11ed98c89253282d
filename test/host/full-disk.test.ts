import { numberProblems } from "@incipit/testkit";
import { healthResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { eventsUntil, inputsOf } from "../support/acknowledged.ts";
import { testedCommand } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

/** 1 to 2 MiB (some shells count in 512 bytes), so that writes fail partway, like on a full disk. */
const limited = ["sh", "-c", `trap "" XFSZ; ulimit -f 2048; exec "$@"`, "sh", ...testedCommand];

test("[never-lost] a disk that fills up during a turn loses no acknowledged data", async () => {
  await using world = await World.start({ model: { isStrict: true } });
  const { model } = world;
  const acknowledged: string[] = [];
  let id = "";
  {
    await using host = await world.host({ command: limited });
    ({ id } = await host.createConversation());
    const send = async (input: string): Promise<Response> => {
      const response = await host.fetch(`/conversations/${id}/turns`, {
        body: { input },
        headers: { prefer: "respond-async" },
      });
      if (response.status === 202) acknowledged.push(input);
      return response;
    };
    await host.turn(id, { input: "one" });
    acknowledged.push("one");
    model.enqueue({ kind: "text", chunks: Array.from({ length: 4_000 }, () => "x".repeat(1_000)) });
    expect((await send("two")).status).toBe(202);
    await model.waitFor(
      ({ requests: [, second] }) => second?.isAborted === true || second?.endedAtMs !== undefined,
    );

    let refused: Response | undefined;
    for (let count = 0; refused === undefined && count < 500; count += 1) {
      const response = await send(`more ${count} ${"y".repeat(10_000)}`);
      if (response.status !== 202) refused = response;
    }
    const health = healthResponseSchema.parse(await host.json("/health"));

    expect(refused?.status).toBe(507);
    expect(await refused?.json()).toMatchObject({ error: { code: "STORAGE_FAILED" } });
    expect(health.status).toBe("degraded");
    expect(health.problems.join()).toMatch(/write failed at .*incipit\.db/);
    await host.kill("SIGKILL");
  }
  const host = await world.host();
  acknowledged.push("last");
  const last = await host.turn(id, { input: "last" });
  const events = await eventsUntil(host, id, acknowledged.length);
  const ends = events.flatMap((event) => (event.type === "turn-end" ? [event] : []));
  const failed = ends.filter(({ status }) => status !== "completed");
  const said = await inputsOf(host.client, id);
  const { bodies } = world;

  expect(await host.json("/health")).toMatchObject({ status: "ok", problems: [] });
  expect(last.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(said).toEqual(acknowledged);
  expect(numberProblems(events)).toEqual([]);
  expect(ends.map(({ turnId }) => turnId)).toEqual([...new Set(ends.map(({ turnId }) => turnId))]);
  expect(ends).toHaveLength(acknowledged.length);
  expect(ends[1]?.status).toBeOneOf(["failed", "interrupted"]);
  for (const { status, error } of failed)
    expect([status, error?.code]).toBeOneOf([
      ["failed", "STORAGE_FAILED"],
      ["interrupted", undefined],
    ]);
  for (const [index, body] of bodies.entries())
    if (index > 0) expect(body).toStartWith(prefixOf(bodies[index - 1] ?? ""));
}, 300_000);
