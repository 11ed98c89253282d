import { stepRequestResponseSchema } from "@incipit/schema";
import { stepsResponseSchema } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

const key = "planted-key-of-the-vendor-1";
const inPrompt = "sk-proj-plantedInThePrompt01";
const inTool = "ghp_plantedInAToolResult0123456789abcdefgh";
const inMessage = "ORDER-556677";

function recordRows(path: string): readonly string[] {
  using database = new Database(path, { readonly: true });
  return database
    .query("SELECT key || ' ' || value FROM entries WHERE key LIKE 'wire:%' OR key LIKE 'told-system:%'")
    .values()
    .map(([row]) => String(row));
}

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const file = Bun.file(join(folder, name));
    if (Buffer.from(await file.arrayBuffer().catch(() => new ArrayBuffer(0))).includes(text)) found.push(name);
  }
  return found;
}

test("[closed-by-default] secrets are sent unchanged, and redacted in records, logs and responses", async () => {
  await using world = await World.start({
    config: `system_prompt = "[file:AGENTS.md]"
tools.workspace = true
records.redact = ["ORDER-[0-9]+"]
providers.local.api_key_env = "LOCAL_KEY"`,
    env: { LOCAL_KEY: key },
    files: { "AGENTS.md": `Use ${inPrompt}`, "secrets.txt": `token=${inTool}` },
  });
  const { model, data } = world;
  model.enqueueCall("read_file", { path: "secrets.txt" });
  model.enqueueText("Done.");
  const message = `Bad key ${key} (Bearer ${key})`;
  model.enqueue({ kind: "error", status: 401, body: JSON.stringify({ error: { message } }) });
  let answers = "";
  const host = await world.host();
  const { id } = await host.createConversation();
  const events = [
    ...(await host.turn(id, { input: `It is about ${inMessage}` })),
    ...(await host.turn(id, { input: "And now?" })),
  ];
  expect(events.filter(({ type }) => type === "turn-end")).toMatchObject([
    { status: "completed" },
    { status: "failed" },
  ]);
  const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps`));
  answers += JSON.stringify(steps);
  for (const [index, step] of steps.entries()) {
    const request = stepRequestResponseSchema.parse(
      await host.json(`/conversations/${id}/steps/${step.id}/request`),
    );
    answers += JSON.stringify(request);
    expect(request.headers["authorization"]).toBe("[redacted:credential]");
    const sent = model.requests[index]?.body ?? "";
    expect(request.sha256).toBe(new Bun.CryptoHasher("sha256").update(sent).digest("hex"));
    expect(request.isRedacted).toBe(true);
  }
  await host.kill("SIGTERM");
  const stderr = await host.stderr();
  const sent = world.bodies;
  expect(sent).toHaveLength(3);
  expect(model.requests[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
  for (const planted of [inPrompt, inMessage]) expect(sent[0]).toContain(planted);
  expect(sent[1]).toContain(inTool);

  const rows = recordRows(join(data, "incipit.db"));
  expect(rows.length).toBeGreaterThan(3);
  for (const planted of [key, inPrompt, inTool, inMessage]) {
    expect(rows.filter((row) => row.includes(planted))).toEqual([]);
    expect(answers).not.toContain(planted);
    expect(stderr).not.toContain(planted);
  }
  // Unsent secrets appear nowhere; sent text is found, which validates the search.
  expect(await filesWith(data, key)).toEqual([]);
  expect(await filesWith(data, inTool)).not.toEqual([]);
}, 300_000);
