import { symlink } from "node:fs/promises";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { frontendTools, runTool } from "../frontend-tools/frontend-tools.ts";
import { HostWorld } from "../support/host-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(HostWorld.create({ model: "offline/echo" }));
const { folder } = world;
const host = await world.start();
const document = await (await fetch(`${host.url}/openapi.json`)).text();
await symlink(frontendTools(), join(folder, "node_modules"));
await Bun.write(join(folder, "openapi.json"), document);

test("openapi.json is public, names its host, and is not readable across origins", async () => {
  expect(JSON.parse(document)).toMatchObject({ openapi: "3.1.1", servers: [{ url: host.url }] });
  for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }])
    expect((await fetch(`${host.url}/openapi.json`, { headers })).status).toBe(403);
});

test("openapi.json passes Redocly's recommended rules, and every operation, parameter and field has a description", async () => {
  const lint = async (source: string): Promise<readonly { readonly ruleId: string }[]> =>
    JSON.parse(await runTool([process.execPath, "-e", linter], { cwd: folder, input: source }));

  expect(await lint(document)).toEqual([]);
  expect(await lint(document.replace('"isReady":true', '"isReady":"yes"'))).toMatchObject([
    { ruleId: "no-invalid-media-type-examples" },
  ]);
  const wordless = document.replaceAll(
    /"description":"(Sequence number of the last event|Lists conversations,|`false`: not archived)[^"]*",?/g,
    "",
  );
  const found = new Set((await lint(wordless)).map(({ ruleId }) => ruleId));
  expect([...found].toSorted()).toEqual([
    "operation-description",
    "parameter-description",
    "rule/field-description",
  ]);
}, 300_000);

const linter = `
  import { createConfig, lintFromString } from "@redocly/openapi-core";
  const isDefined = { defined: true };
  const rules = {
    "operation-description": "error",
    "parameter-description": "error",
    "rule/field-description": {
      subject: { type: "Schema", property: "description" },
      where: [{ subject: { type: "SchemaProperties" }, assertions: isDefined }],
      assertions: isDefined,
      severity: "error",
    },
  };
  const config = await createConfig({ extends: ["recommended"], rules });
  const found = await lintFromString({ source: await Bun.stdin.text(), absoluteRef: "/openapi.json", config });
  console.log(JSON.stringify(found.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))));
`;

test("openapi-typescript generates types for routes, error codes and discriminated events", async () => {
  await runTool([process.execPath, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "paths.ts"], {
    cwd: folder,
  });
  await Bun.write(join(folder, "typed.ts"), typedProgram);
  const types = await Bun.file(join(folder, "paths.ts")).text();

  expect(types).toContain("/** @description Default PROVIDER/MODEL of turns. */");
  expect(types).toContain("@description Lists conversations, newest first, in pages.");
  await compile("typed.ts");
  expect(JSON.parse(await run("typed.ts"))).toEqual({
    reply: expect.stringContaining("You said: Hello"),
    isOther: false,
    refusal: "CONVERSATION_UNKNOWN",
  });
}, 300_000);

const typedProgram = `
  import createClient from "openapi-fetch";
  import type { components, paths } from "./paths.ts";

  declare const process: { readonly env: Readonly<Record<string, string>> };
  const { HOST_URL: baseUrl = "", HOST_TOKEN: token = "" } = process.env;
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  type TurnEvent = components["schemas"]["TurnEvent"];

  function textOf(event: TurnEvent): string {
    // @ts-expect-error -- not every event has a text
    event.text;
    return event.type === "text-delta" ? event.text : "";
  }

  const { data } = await client.POST("/conversations", { body: { title: "A question" } });
  const path = { id: data?.conversation.id ?? "" };
  const turn = await client.POST("/conversations/{id}/turns", { params: { path }, body: { input: "Hello" }, parseAs: "text" });
  const reply = String(turn.data)
    .split("\\n")
    .filter((line) => line.startsWith("data: "))
    .map((line): TurnEvent => JSON.parse(line.slice("data: ".length)))
    .map(textOf)
    .join("");

  const unknown = { id: "01990000-0000-7000-8000-000000000000" };
  const { error } = await client.GET("/conversations/{id}", { params: { path: unknown } });
  // @ts-expect-error -- a code that there is not
  const isOther = error?.error.code === "NOTHING_OF_THE_KIND";
  console.log(JSON.stringify({ reply, isOther, refusal: error?.error.code }));
`;

test("@hey-api/openapi-ts generates a client that follows a turn with discriminated events", async () => {
  await runTool(
    [process.execPath, "node_modules/.bin/openapi-ts", "-i", "openapi.json", "-o", "generated", "--silent"],
    {
      cwd: folder,
    },
  );
  await Bun.write(join(folder, "generated-client.ts"), generatedClientProgram);

  await compile("generated-client.ts");
  expect(JSON.parse(await run("generated-client.ts"))).toEqual({
    reply: expect.stringContaining("You said: Hello"),
    status: "completed",
  });
}, 300_000);

const generatedClientProgram = `
  import { createConversation, createTurn, type TurnEvent } from "./generated/index";
  import { client } from "./generated/client.gen";

  declare const process: { readonly env: Readonly<Record<string, string>> };
  const { HOST_URL: baseUrl = "", HOST_TOKEN: token = "" } = process.env;
  client.setConfig({ baseUrl, auth: () => token });
  const { data } = await createConversation({ body: {}, throwOnError: true });
  const { stream } = await createTurn({ path: { id: data.conversation.id }, body: { input: "Hello" } });
  let reply = "";
  let status: Extract<TurnEvent, { type: "turn-end" }>["status"] | undefined;
  for await (const event of stream) {
    if (!("type" in event)) continue; // What \`Prefer: respond-async\` would get.
    // @ts-expect-error -- not every event has a text
    event.text;
    if (event.type === "text-delta") reply += event.text;
    if (event.type === "turn-end") status = event.status;
  }
  console.log(JSON.stringify({ reply, status }));
`;

/** The most common and the newest TypeScript. */
async function compile(file: string): Promise<void> {
  const lib = ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"];
  const modules = { module: "preserve", moduleResolution: "bundler", allowImportingTsExtensions: true };
  const compilerOptions = {
    target: "ES2023",
    lib,
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    ...modules,
  };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  for (const compiler of [frontendTools(), join(import.meta.dir, "../../node_modules")])
    await runTool(["node", join(compiler, "typescript/bin/tsc"), "-p", "."], { cwd: folder });
}

async function run(file: string): Promise<string> {
  const env = { HOST_URL: host.url, HOST_TOKEN: host.token };
  return runTool([process.execPath, file], { cwd: folder, env });
}
