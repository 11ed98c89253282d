import type { ConversationId, Explain } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";

async function writeExtension(path: string, version: string): Promise<void> {
  const manifest = {
    id: "acme.rules",
    version,
    api: "^1",
    contributes: ["prompt-segments@1", "prompt-variables@1"],
  };
  await Bun.write(
    join(path, "package.json"),
    JSON.stringify({
      name: "acme-rules",
      version,
      type: "module",
      exports: { ".": "./index.ts" },
      incipit: manifest,
    }),
  );
  await Bun.write(
    join(path, "index.ts"),
    `import { defineExtension } from "@incipit/kernel";
import { promptSegmentsPoint, promptVariablesPoint } from "@incipit/service-contract";
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  let asked = 0;
  host.contribute(promptSegmentsPoint, { id: "acme-rules", order: 1, text: () => "segment of ${version}" });
  host.contribute(promptSegmentsPoint, { id: "acme-huge", order: 2, text: () => "x".repeat(10_000_000) });
  host.contribute(promptSegmentsPoint, { id: "acme-broken", order: 3, text: () => { throw new Error("broken"); } });
  host.contribute(promptVariablesPoint, {
    type: "acme",
    variables: [{ name: "rule", description: "A rule" }],
    resolve: async () => ({ value: "${version}, asked " + (asked += 1) }),
  });
});
`,
  );
}

test("[sent-is-shown] [resolved-once] preview, explain, stored and sent prompt are identical while extensions change", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"
system_prompt = "Global [acme:rule]."
append_system_prompt = "[if acme:rule]Append for [prompt:model].[else]Nobody has a rule.[endif]"
[profiles.strict]
system_prompt = "Strict [acme:rule] in [prompt:cwd]."
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
`,
  );
  const path = join(folder.path, "rules");
  await writeExtension(path, "1.0.0");
  const host = scope.use(await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path }));
  const client = createClient({ url: host.url, token: host.token });
  const begin = async (profile?: string): Promise<ConversationId> =>
    (await host.createConversation(profile === undefined ? {} : { profile })).id;
  let last = new Map<ConversationId, string>();
  const turn = async (id: ConversationId, isSteady = true): Promise<unknown> => {
    expect((await host.turn(id, { input: "go on" })).at(-1)).toMatchObject({ status: "completed" });
    const body = model.requests.at(-1)?.body ?? "";
    const before = last.get(id);
    if (before !== undefined) expect(body.startsWith(prefixOf(before))).toBe(isSteady);
    last = new Map([...last, [id, body]]);
    const texts = systemTexts(body);
    expect(texts).toHaveLength(1);
    return texts[0];
  };
  const check = (text: unknown, explain: Explain | null): void => {
    expect(explain?.sha256).toBe(new Bun.CryptoHasher("sha256").update(String(text)).digest("hex"));
    expect(explain?.ranges.at(-1)?.end).toBe(String(text).length);
  };
  const promptOf = async (id: ConversationId): Promise<unknown> => {
    const { systemPrompt } = await client.call(routes.getConversationSystemPrompt, { params: { id } });
    check(systemPrompt, (await client.call(routes.explainConversation, { params: { id } })).explain);
    return systemPrompt;
  };

  const bare = await begin();
  const bareText = await turn(bare);
  const grant = { contributes: ["prompt-segments@1", "prompt-variables@1"] };
  await client.call(routes.addExtension, { body: { path, grant } });
  const bareAfterLoad = await turn(bare);
  const conversation = await begin("strict");
  const preview = await client.call(routes.previewSystemPrompt, {
    body: { profile: "strict", conversationId: conversation },
  });
  const sent = await turn(conversation);
  await writeExtension(path, "2.0.0");
  await client.call(routes.swapExtension, { params: { id: "acme.rules" }, body: { grant } });
  const afterSwap = await turn(conversation);
  await client.call(routes.unloadExtension, { params: { id: "acme.rules" } });
  const afterUnload = await turn(conversation);
  const { drift } = await client.call(routes.getDrift, { params: { id: conversation } });
  const { explain: kept } = await client.call(routes.explainConversation, { params: { id: conversation } });
  await client.call(routes.rebuildPrompt, { params: { id: conversation }, body: {} });
  const afterRebuild = await turn(conversation, false);
  const { explain: rebuilt } = await client.call(routes.explainConversation, { params: { id: conversation } });

  expect(bareText).toBe("Global .\n\nNobody has a rule.");
  expect(bareAfterLoad).toBe(bareText);
  expect(sent).toBe(`Strict 1.0.0, asked 2 in ${folder.path}.\n\nAppend for local/test.\n\nsegment of 1.0.0`);
  expect(preview.systemPrompt).toBe(String(sent).replace("asked 2", "asked 1"));
  check(preview.systemPrompt, preview.explain);
  expect([afterSwap, afterUnload]).toEqual([sent, sent]);
  expect(kept?.segments.map(({ id, kind, detail }) => [id, kind, detail])).toEqual([
    ["acme-rules", "text", null],
    ["acme-huge", "failed", "has more than 65536 bytes"],
    ["acme-broken", "failed", expect.stringMatching(/^broken \(.*\/index\.ts:7:\d+\)$/)],
    ["skills", "nothing", null],
  ]);
  expect(
    drift?.hunks.flatMap(({ causes }) => causes.map(({ kind, name }) => `${kind} ${name}`)).toSorted(),
  ).toEqual(["branch if acme:rule", "segment acme-rules", "variable acme:rule"]);
  expect(afterRebuild).toBe(`Strict  in ${folder.path}.\n\nNobody has a rule.`);
  expect(rebuilt?.variables.find(({ type }) => type === "acme")).toMatchObject({
    kind: "absent",
    reason: "unknown-type",
  });
  expect([await promptOf(bare), await promptOf(conversation)]).toEqual([bareText, afterRebuild]);
}, 300_000);
