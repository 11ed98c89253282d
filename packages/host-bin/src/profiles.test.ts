import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseConfig } from "./config/parse-config.ts";
import { createHost } from "./create-host.ts";

const settings = `listen.port = 0
providers.openai = { kind = "openai" }
providers.later = { kind = "extension" }
profiles.plain = {}
profiles.silent.system_prompt = ""
profiles.reviewer = { model = "offline/echo", system_prompt = "Review." }
profiles.keyless.model = "openai/gpt-5.2"
profiles.lost.model = "later/x"
profiles.wrong.model = "offline/x"
`;

test("GET /profiles returns each profile's model, prompt and problems", async () => {
  await using folder = await createTempFolder();
  const config = parseConfig(settings, "incipit.toml");
  const dataFolder = join(folder.path, "data");
  await using host = await createHost({ config, dataFolder, cwd: folder.path, env: {}, writeLog: () => {} });

  const { profiles } = await createClient(host).call(routes.listProfiles);

  const own = { description: null, shadowed: [], warnings: [] };
  const source = { tier: "configuration", path: null, line: null } as const;
  const written = { ...own, source };
  expect(profiles).toEqual([
    { ...written, name: "plain", model: null, hasSystemPrompt: false, problem: null },
    { ...written, name: "silent", model: null, hasSystemPrompt: true, problem: null },
    { ...written, name: "reviewer", model: "offline/echo", hasSystemPrompt: true, problem: null },
    {
      ...written,
      name: "keyless",
      model: "openai/gpt-5.2",
      hasSystemPrompt: false,
      problem: expect.stringContaining("OPENAI_API_KEY"),
    },
    {
      ...written,
      name: "lost",
      model: "later/x",
      hasSystemPrompt: false,
      problem: 'unknown provider "later"',
    },
    {
      ...written,
      name: "wrong",
      model: "offline/x",
      hasSystemPrompt: false,
      problem: expect.stringContaining('"echo"'),
    },
  ]);
});
