import { createTempFolder, startRecordingModelServer, type ModelReply, type WireName } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";

/** Call ids have the format of the protocol's models. */
const vendors = [
  { name: "openai", kind: "openai", wire: "openai-responses", model: "gpt-5.2", id: "call_9dkS" },
  { name: "chat", kind: "openai-compatible", wire: "openai-chat", model: "kimi-k2", id: "functions.read_file:0" },
  { name: "deepseek", kind: "deepseek", wire: "deepseek", model: "deepseek-v4-pro", id: "call_00_X+y/z==" },
  { name: "anthropic", kind: "anthropic", wire: "anthropic", model: "claude-sonnet-4-5", id: "toolu_01A09q90" },
  { name: "google", kind: "google", wire: "gemini", model: "gemini-3-pro-preview", id: "" },
  { name: "gemma", kind: "google", wire: "gemini", model: "gemma-3-27b-it", id: "" },
] as const satisfies readonly { readonly wire: WireName; readonly [field: string]: string }[];
type Vendor = (typeof vendors)[number];

/** Includes provider-specific data to send back. */
function replies({ name, id }: Vendor, turn: number): readonly ModelReply[] {
  const signature = Buffer.from(`${name} ${turn}`).toString("base64");
  const reasoning = { text: `${name} thinks`, signature };
  const call = { name: "read_file", arguments: '{"path":"a.txt"}', id: id === "" ? "" : `${id}${turn}` };
  return [
    { kind: "tool-calls", reasoning, calls: [call] },
    { kind: "text", reasoning, chunks: [`${name} answers`] },
  ];
}

test("switching between all pairs of providers keeps calls, text and reasoning valid", async () => {
  await using folder = await createTempFolder();
  await using scope = new AsyncDisposableStack();
  const wires = [...new Set(vendors.map(({ wire }) => wire))];
  const servers = new Map(
    await Promise.all(
      wires.map(async (wire) => [wire, scope.use(await startRecordingModelServer({ wire }))] as const),
    ),
  );
  const serverOf = (wire: WireName) => servers.get(wire) ?? scope.use(never());
  const tables = vendors.map(
    ({ name, kind, wire }) =>
      `[providers.${name}]\nkind = "${kind}"\nbase_url = "${serverOf(wire).urlOf(wire)}"\napi_key_env = "VENDOR_KEY"\n`,
  );
  const config = join(folder.path, "incipit.toml");
  await Bun.write(join(folder.path, "a.txt"), "a");
  await Bun.write(config, `model = "openai/gpt-5.2"\ntools.workspace = true\n${tables.join("")}`);
  await using host = await HostProcess.start({
    data: join(folder.path, "data"),
    config,
    cwd: folder.path,
    env: { VENDOR_KEY: "key-0123456789" },
  });
  const { id } = await host.createConversation();

  const order = vendors.flatMap((from, index) => vendors.slice(index + 1).flatMap((to) => [from, to]));
  for (const [index, vendor] of order.entries()) {
    serverOf(vendor.wire).enqueue(...replies(vendor, index));
    const events = await host.turn(id, { input: `Question ${index}`, model: `${vendor.name}/${vendor.model}` });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  }

  for (const [wire, { problems }] of servers)
    expect({ wire, problems: [...new Set(problems)] }).toEqual({ wire, problems: [] });
}, 300_000);

function never(): never {
  throw new Error("There is a server for each format");
}
