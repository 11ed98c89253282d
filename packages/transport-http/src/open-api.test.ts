import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { openApiDocument } from "./open-api.ts";

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

test("openApiDocument describes each route of the table once", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));

  const described = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );

  expect(described.toSorted()).toEqual(Object.keys(routes).toSorted());
  expect(Object.keys(paths)).toContain("/conversations/{id}/steps/{stepId}/request");
});

test("openApiDocument refers to nothing that it does not hold", () => {
  const document = openApiDocument("1.0.0");
  const { components } = documentSchema.parse(document);

  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  );

  expect(references.length).toBeGreaterThan(0);
  for (const name of references) expect(Object.keys(components.schemas)).toContain(name ?? "");
});

test("openApiDocument gives each operation an answer for errors", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));

  for (const operations of Object.values(paths)) {
    for (const { responses } of Object.values(operations)) expect(Object.keys(responses)).toContain("default");
  }
});
