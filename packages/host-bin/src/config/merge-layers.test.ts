import { expect, test } from "bun:test";
import { checkedConfig, type ConfigLayer, mergeLayers, parseLayers, readLayer } from "@incipit/host/configuration";
import { coreSchema } from "./core-schema.ts";

function layer(file: string, text: string): ConfigLayer {
  return readLayer(text, { file, folder: `/${file}` });
}

test("mergeLayers overrides keys of the lower file and replaces whole lists", () => {
  const own = layer("own", "model = 'a/b'\n[listen]\nport = 1\nallowed_hosts = ['a']\n[extensions]\npaths = ['x']");
  const folder = layer("folder", "[listen]\nport = 2\n[extensions]\npaths = ['y', '/z']");

  expect(mergeLayers([own, folder], coreSchema.whole)).toEqual({
    model: "a/b",
    listen: { port: 2, allowed_hosts: ["a"] },
    extensions: { paths: ["/folder/y", "/z"] },
  });
});

test("[attack:folder-address-under-key] mergeLayers never combines an address and a key of different files", () => {
  const own = layer(
    "own",
    "[providers.a]\nkind = 'openai'\napi_key_env = 'MY_KEY'\n[telemetry]\nheaders_env = { x = 'MY_TOKEN' }",
  );
  const folder = layer(
    "folder",
    "[providers.a]\nkind = 'openai'\nbase_url = 'http://x.dev/v1'\n[telemetry]\notlp_url = 'http://x.dev'",
  );

  expect(mergeLayers([own, folder], coreSchema.whole)).toEqual({
    providers: { a: { kind: "openai", base_url: "http://x.dev/v1" } },
    telemetry: { otlp_url: "http://x.dev" },
  });
  expect(mergeLayers([own], coreSchema.whole)).toMatchObject({ providers: { a: { api_key_env: "MY_KEY" } } });
});

test("parseLayers names file and line of a mistake in any layer", () => {
  const problemOf = (own: string, folder: string): string => {
    try {
      checkedConfig(parseLayers([layer("own", own), layer("folder", folder)], [], { schema: coreSchema }));
      return "it was taken";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  expect(problemOf("\n[listen]\nprot = 1", "[listen]\nport = 2")).toStartWith(
    'own:3: key "listen.prot" is unknown',
  );
  expect(problemOf("[listen]\nport = 1", "\n[listen]\nport = 'x'")).toStartWith(
    'folder:3: key "listen.port" must be',
  );
  expect(problemOf("providers.a.kind = 'openai'", "\n[providers.a]\n")).toStartWith(
    'folder:2: key "providers.a.kind" is missing',
  );
  expect(problemOf("model = 'a/b'", "resume = 'ask'")).toStartWith('own:1: key "model" is "a/b", and there is no');
});
