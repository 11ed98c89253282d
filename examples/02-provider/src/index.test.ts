import { modelProvidersPoint } from "@incipit/service-contract";
import { modelRequest, providerConformance, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const env = { ACME_URL: "https://api.acme.dev/v1", ACME_KEY: "acme-key-0123456789" };

providerConformance("acme", {
  model: "acme-small",
  wire: "openai-chat",
  lacks: {
    "each error that the vendor is known to send has its code, whether to try again, and how long to wait":
      "it tells errors apart by their status alone",
  },
  async open({ server, scope }) {
    return scope.use(await startExtension(extension, { env, net: server })).contribution(modelProvidersPoint);
  },
});

test("extension reports missing configuration", async () => {
  await using bare = await startExtension(extension);
  await using ready = await startExtension(extension, { env });

  expect(bare.contribution(modelProvidersPoint).problem).toContain("set ACME_URL");
  expect(ready.contribution(modelProvidersPoint).problem).toBeNull();
});

test("extension does not start without the grant to read its variables", async () => {
  const failure = await startExtension(extension, { grant: { net: true } }).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "CAPABILITY_DENIED", extension: "acme.models" });
});

test("extension reports an ungranted endpoint in the stream", async () => {
  const grant = { env: true, net: ["api.example:443"] } as const;
  await using started = await startExtension(extension, { env, grant });
  const provider = started.contribution(modelProvidersPoint);

  const events = await Array.fromAsync(provider.stream(modelRequest({ model: "acme-small" })));

  expect(events).toMatchObject([{ type: "failure", error: { code: "CAPABILITY_DENIED", isRetryable: false } }]);
});
