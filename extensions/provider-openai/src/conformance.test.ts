import type { Net } from "@incipit/kernel";
import { providerConformance } from "@incipit/testkit";
import { createChatProvider } from "./chat-provider.ts";

const net: Net = {
  async fetch(url, { observe, ...init } = {}) {
    const { method = "GET", body = "" } = init;
    await observe?.({ method, url, headers: {}, body, sha256: "", at: 0 });
    return fetch(url, { ...init, redirect: "manual" });
  },
};

for (const kind of ["openai", "openai-compatible", "deepseek"] as const) {
  providerConformance(kind, {
    model: "test-model",
    hasWire: true,
    open: ({ server }) =>
      createChatProvider({
        id: "local",
        endpoint: { kind, baseUrl: server.url, apiKeyEnv: "TEST_KEY" },
        net,
        env: { get: () => "sk-test-0123456789" },
      }),
  });
}
