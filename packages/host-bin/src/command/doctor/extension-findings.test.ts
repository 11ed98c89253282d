import { defineExtension } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseConfig } from "../../config/parse-config.ts";
import { createHost } from "../../create-host.ts";
import { extensionFindings } from "./extension-findings.ts";

test("extensionFindings reports only built-in extensions that failed to start", async () => {
  await using folder = await createTempFolder();
  const broken = defineExtension(
    { id: "broken-tools", version: "1.0.0", api: "^1", contributes: ["tools@1"] },
    async () => {
      throw new Error("a file of it is not there");
    },
  );
  await using host = await createHost({
    config: parseConfig("listen.port = 0", "test"),
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: {},
    writeLog: () => undefined,
    extensions: [broken],
  });

  const { extensions } = await createClient(host).call(routes.listExtensions);

  expect(extensionFindings(extensions)).toEqual([
    {
      check: "extensions",
      status: "wrong",
      what: expect.stringMatching(
        /^the built-in extension "broken-tools" did not start \(ACTIVATE_FAILED\): .*a file of it is not there/,
      ),
      fix: "incipit extensions load broken-tools; if it fails again, add it to [extensions] disabled",
    },
  ]);
});
