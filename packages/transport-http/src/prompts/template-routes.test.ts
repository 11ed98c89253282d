import { defineExtension, type Extension } from "@incipit/kernel";
import {
  promptTemplatesHandle,
  ServiceError,
  systemPromptHandle,
  type PromptTemplates,
  type SystemPromptService,
} from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { errorOf, startApi } from "../testing/start-api.ts";

const unused = (): never => {
  throw new Error("The test does not use it");
};
const stored = { template: "kept", source: "stored", version: 3, etag: '"3"' } as const;

function templatesNoting(calls: unknown[]): PromptTemplates {
  const note =
    (name: string) =>
    async (...given: readonly unknown[]): Promise<typeof stored> => {
      calls.push([name, ...given]);
      return stored;
    };
  return {
    inForce: async () => stored,
    set: note("set"),
    delete: note("delete"),
    restore: note("restore"),
    versions: unused,
    version: unused,
    diff: unused,
    files: unused,
    lint: async (request, { signal, ...options }) => {
      calls.push(["lint", request, options]);
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
      calls.push(["lint was left"]);
      throw new ServiceError("INTERNAL", "Nobody waits for it");
    },
  };
}

function builderNoting(calls: unknown[]): SystemPromptService {
  return {
    assertTrusted: unused,
    construct: unused,
    get: unused,
    prepare: unused,
    describe: unused,
    explain: unused,
    exportPrompt: unused,
    importPrompt: unused,
    copyPrompt: unused,
    forget: unused,
    preview: unused,
    resolveCall: unused,
    applyRequestTier: unused,
    getVariables: unused,
    getTemplate: async () => ({ template: "unversioned", source: "stored" }),
    setTemplate: async (template) => void calls.push(["setTemplate", template]),
    deleteTemplate: async () => void calls.push(["deleteTemplate"]),
  };
}

function builder(calls: unknown[], keepsVersions: boolean): Extension {
  const provides = ["system-prompt@1", ...(keepsVersions ? (["prompt-templates@1"] as const) : [])] as const;
  return defineExtension({ id: "acme.builder", version: "1.0.0", api: "^1", provides: [...provides] }, (host) => {
    host.provideService(systemPromptHandle, builderNoting(calls));
    if (keepsVersions) host.provideService(promptTemplatesHandle, templatesNoting(calls));
  });
}

test("templates are set, deleted and restored with author and conditions of the request", async () => {
  const calls: unknown[] = [];
  await using api = await startApi({ extensions: [builder(calls, true)] });
  const ifMatch = { "if-match": '"2", W/"x"' };

  const set = await api.fetch("/system-prompt", { method: "PUT", body: '{"template":"new","author":"me"}' });
  const taken = await api.fetch("/system-prompt?note=gone", { method: "DELETE", headers: ifMatch });
  const restored = await api.fetch("/system-prompt/versions/12/restore", {
    method: "POST",
    headers: { "if-none-match": "*" },
  });

  expect([set, taken, restored].map(({ status, headers }) => [status, headers.get("etag")])).toEqual(
    Array.from({ length: 3 }, () => [200, stored.etag]),
  );
  expect(await restored.json()).toEqual(stored);
  expect(calls).toEqual([
    ["set", "new", { author: "me" }],
    ["delete", { author: "http", note: "gone", condition: { ifMatch: ['"2"', 'W/"x"'] } }],
    ["restore", 12, { author: "http", condition: { ifNoneMatch: "*" } }],
  ]);
});

test("a builder without versions rejects conditional changes", async () => {
  const calls: unknown[] = [];
  await using api = await startApi({ extensions: [builder(calls, false)] });
  const change = (method: string, headers = {}): Promise<Response> =>
    api.fetch("/system-prompt", { method, headers, ...(method === "PUT" ? { body: '{"template":"new"}' } : {}) });

  expect(await (await change("PUT")).json()).toEqual({ template: "new", version: null, etag: null });
  expect(await (await change("DELETE")).json()).toMatchObject({ template: "unversioned", version: null });
  for (const method of ["PUT", "DELETE"])
    expect(await errorOf(change(method, { "if-match": "*" }))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });

  expect(calls).toEqual([["setTemplate", "new"], ["deleteTemplate"]]);
});

test("a template version must be a valid number", async () => {
  const calls: unknown[] = [];
  await using api = await startApi({ extensions: [builder(calls, true)] });

  for (const version of ["0", "01", "x", "1.5", "-1", "1234567890123"]) {
    const refusal = await errorOf(api.fetch(`/system-prompt/versions/${version}/restore`, { method: "POST" }));
    expect({ version, ...refusal }).toMatchObject({ version, code: "INVALID_REQUEST" });
  }
  await api.client.call(routes.restoreTemplateVersion, { params: { v: "123456789012" }, body: {} });

  expect(calls).toEqual([["restore", 123_456_789_012, { author: "http" }]]);
});

test("lintTemplate uses the given template or the host's folder, and stops on a disconnect", async () => {
  const calls: unknown[] = [];
  await using api = await startApi({ extensions: [builder(calls, true)] });
  const client = new AbortController();

  const asked = api
    .fetch("/system-prompt/lint", { method: "POST", body: '{"template":"x"}', signal: client.signal })
    .catch(() => "left");
  while (calls.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  client.abort();

  expect(await asked).toBe("left");
  while (calls.length === 1) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(calls).toEqual([
    ["lint", { template: "x" }, { defaultCwd: "/", defaultModel: "offline/echo" }],
    ["lint was left"],
  ]);
});

test("setSystemPrompt accepts 1 MiB, and rejects a larger template before storing it", async () => {
  const calls: unknown[] = [];
  await using api = await startApi({ extensions: [builder(calls, true)] });
  const put = (length: number): Promise<Response> =>
    api.fetch("/system-prompt", { method: "PUT", body: JSON.stringify({ template: "x".repeat(length) }) });

  expect((await put(1_048_576)).status).toBe(200);
  expect(await errorOf(put(1_048_577))).toMatchObject({ status: 413, code: "TEMPLATE_TOO_LARGE" });
  expect(calls).toHaveLength(1);
});
