import { openTrustStore } from "@incipit/host/trust";
import { createTempFolder } from "@incipit/testkit";
import { createClient, routes, type TrustedFolderInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../config/parse-config.ts";
import { createHost } from "../create-host.ts";

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

test("[configuration-shown] trusted folders list contents, changes and requested permissions", async () => {
  await using folder = await createTempFolder();
  const root = await realpath(folder.path);
  const [work, left] = [join(root, "work"), join(root, "left")];
  const config = '[mcp.servers.files]\ncommand = "files-server"\n';
  await mkdir(join(work, ".git"), { recursive: true });
  await mkdir(left);
  await Bun.write(join(work, "incipit.toml"), config);
  await Bun.write(join(work, "AGENTS.md"), "Be long.");
  const dataFolder = join(root, "data");
  const store = openTrustStore(dataFolder, () => undefined);
  store.trust(left, { "AGENTS.md": sha256("Gone.") });
  store.trust(work, {
    "incipit.toml": sha256(config),
    "AGENTS.md": sha256("Be brief."),
    "HEARTBEAT.md": sha256("Beat."),
  });
  await rm(left, { recursive: true });
  const options = { config: parseConfig("listen.port = 0", "test"), cwd: root, env: {}, writeLog: () => undefined };
  await using host = await createHost({ ...options, dataFolder });
  const client = createClient({ url: host.url, token: host.token });

  const { folders, leftOut } = await client.call(routes.listTrustedFolders);

  const found = new Map(folders.map((one): [string, TrustedFolderInfo] => [one.path, one]));
  expect(leftOut).toBe(0);
  expect(found.get(work)).toMatchObject({
    files: [
      { name: "AGENTS.md", state: "changed" },
      { name: "incipit.toml", state: "trusted" },
      { name: "HEARTBEAT.md", state: "gone" },
    ],
    isRepository: true,
    wishes: [expect.stringContaining("files-server")],
    problem: null,
  });
  expect(found.get(left)).toMatchObject({
    files: [{ name: "AGENTS.md", state: "gone" }],
    wishes: [],
    problem: expect.stringContaining("no such file"),
  });
});
