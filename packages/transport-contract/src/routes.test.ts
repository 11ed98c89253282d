import { expect, test } from "bun:test";
import * as z from "zod";
import { routes } from "./routes.ts";
import type { Route } from "./routes/route.ts";

const table = Object.entries<Route>(routes);

test("routes have unique methods and paths", () => {
  const keys = table.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);

  expect(new Set(keys).size).toBe(keys.length);
});

test("routes have a schema for exactly the parameters of their path", () => {
  for (const [name, { path, params }] of table) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? "");
    expect({ name, params: Object.keys(params?.shape ?? {}) }).toEqual({ name, params: inPath });
  }
});

test("routes have schemas that can be converted to JSON Schema", () => {
  for (const [name, { response, asyncAnswer, ...input }] of table) {
    const written = [response, asyncAnswer?.response]
      .filter((schema) => schema !== undefined)
      .map((schema) => z.toJSONSchema(schema));
    const read = [input.params, input.query, input.headers, input.body]
      .filter((schema) => schema !== undefined)
      .map((schema) => z.toJSONSchema(schema, { io: "input" }));
    expect({ name, isObject: [...written, ...read].every((schema) => typeof schema === "object") }).toEqual({
      name,
      isObject: true,
    });
  }
});

test("routes reject unknown body keys by name, except vendor fields of completions and embeddings", () => {
  const ofVendors = new Set<string>(["createChatCompletion", "createEmbeddings"]);
  const bodies = table.flatMap(([name, { body }]) =>
    body === undefined || ofVendors.has(name) ? [] : [{ name, body }],
  );
  expect(routes.createChatCompletion.body.parse({ nonsense: 1 })).toEqual({ nonsense: 1 });
  const texts = { model: "a/b", input: "c", nonsense: 1 };
  expect(routes.createEmbeddings.body.parse(texts)).toEqual(texts);
  expect(bodies.length).toBeGreaterThan(0);

  for (const { name, body } of bodies) {
    const issues = body.safeParse({ nonsense: 1 }).error?.issues ?? [];
    expect({
      name,
      keys: issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [])),
    }).toEqual({
      name,
      keys: ["nonsense"],
    });
  }
});

test("routes require a token except for health, OpenAPI and sign-in", () => {
  const open = table.filter(([, { access }]) => access === "open").map(([name]) => name);
  expect(open).toEqual(["getHealth", "getOpenApi", "signIn"]);
});

test("routes with scope `read` change nothing", () => {
  const reading = table.filter(([, { access }]) => access === "read");

  expect(reading.filter(([, { method }]) => method !== "GET").map(([name]) => name)).toEqual(["createTicket"]);
});

test("[attack:bounds-given-names] routes reject model and profile names that cannot be displayed or imported", () => {
  const bodies = [
    [routes.createConversation.body, {}],
    [routes.createTurn.body, { input: "Hi" }],
    [routes.previewSystemPrompt.body, {}],
    [routes.lintTemplate.body, {}],
    [routes.createChatCompletion.body, { prompt: "Hi" }],
    [routes.replayStep.body, {}],
  ] as const;
  const takes = (name: string): readonly boolean[] =>
    bodies.map(([schema, body]) => schema.safeParse({ ...body, model: name }).success);

  for (const name of ["x".repeat(1_001), "local/a\nb", "local/\u001b[2J", "local/a\0", "local/a\u2028b"])
    expect(takes(name)).toEqual(bodies.map(() => false));
  expect(routes.createConversation.body.safeParse({ profile: "a\nb" }).success).toBe(false);
  // Positive control: other names are accepted.
  for (const name of ["local/qwen:7b é", "x".repeat(1_000)]) expect(takes(name)).toEqual(bodies.map(() => true));
});
