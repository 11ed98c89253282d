import { createTempFolder } from "@incipit/testkit";
import { folderTrustHandle } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { parseConfig } from "../config/parse-config.ts";
import { createHost } from "../create-host.ts";
import { openTrustStore } from "@incipit/host/trust";

test("[attack:folder-trust-over-http] the host reports trust over HTTP, and no route grants it", async () => {
  await using folder = await createTempFolder();
  const config = parseConfig("listen.port = 0", "test");
  const options = { config, dataFolder: folder.path, cwd: folder.path, env: {}, writeLog: () => undefined };
  await using host = await createHost(options);
  const [path, sha256] = [`${folder.path}/incipit.toml`, "a".repeat(64)];
  const judged = (): Promise<string> | undefined => host.kernel.service(folderTrustHandle)?.judgeFile(path, sha256);

  const attempts = ["/trust", "/folder-trust", "/trust/folders", "/service/folder-trust@1"].flatMap((route) =>
    ["POST", "PUT", "PATCH"].map(async (method) => {
      const headers = { authorization: `Bearer ${host.token}`, "content-type": "application/json" };
      const body = JSON.stringify({ path: folder.path, files: { "incipit.toml": sha256 } });
      return (await fetch(`${host.url}${route}`, { method, headers, body })).status;
    }),
  );

  expect([...new Set(await Promise.all(attempts))]).toEqual([404]);
  expect(await judged()).toBe("not-trusted");
  openTrustStore(folder.path, () => undefined).trust(folder.path, { "incipit.toml": sha256 });
  expect(await judged()).toBe("trusted");
});
