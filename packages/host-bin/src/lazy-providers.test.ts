import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";

const folder = import.meta.dir;

async function loadedWith(config: string): Promise<string> {
  await using temporary = await createTempFolder();
  const script = `
    import { createHost } from ${JSON.stringify(join(folder, "create-host.ts"))};
    import { parseConfig } from ${JSON.stringify(join(folder, "config/parse-config.ts"))};
    const config = parseConfig(${JSON.stringify(`listen.port = 0\n${config}`)}, "incipit.toml");
    const cwd = ${JSON.stringify(temporary.path)};
    const host = await createHost({ config, dataFolder: cwd + "/data", cwd, env: {}, writeLog: () => {} });
    await fetch(host.url + "/models", { headers: { authorization: "Bearer " + host.token } });
    await host.close();
    console.log(JSON.stringify(Object.keys(require.cache)));
  `;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: folder });
  const loaded = stdout.toString();
  if (!loaded.includes("provider-openai/src/extension.ts")) throw new Error(stderr.toString());
  return loaded;
}

test("a host without providers starts without the model catalogue", async () => {
  expect(await loadedWith("")).not.toContain("model-catalogue/");
});

test("a host lists models without loading provider packages until the first call", async () => {
  const loaded = await loadedWith(
    '[providers.a]\nkind = "openai"\n[providers.b]\nkind = "anthropic"\n[providers.c]\nkind = "google"\n',
  );

  expect(loaded).toContain("model-catalogue/");
  expect(loaded).not.toMatch(/@ai-sdk\/(openai|anthropic|google|deepseek)/);
});
