import { expect, test } from "bun:test";
import type { Operation } from "./api-document.ts";
import { curlLine } from "./curl-line.ts";

const operation: Operation = {
  operationId: "renameIt",
  method: "PATCH",
  path: "/conversations/{id}/steps/{stepId}",
  summary: "",
  description: "",
  tags: [],
  parameters: [{ name: "q", in: "query", description: "", required: true, schema: {} }],
  requestBody: { content: { "application/json": { schema: {}, example: { title: "Ada's" } } } },
  responses: { 200: { description: "", content: {} } },
  security: [{ token: ["converse"] }],
};

test("curlLine quotes method, URL with variables, token and example body", () => {
  expect(curlLine(operation, "http://127.0.0.1:4140")).toBe(
    [
      'curl --request PATCH "http://127.0.0.1:4140/conversations/$ID/steps/$STEP_ID?q=$Q"',
      '  --header "Authorization: Bearer $TOKEN"',
      '  --header "Content-Type: application/json"',
      String.raw`  --data-binary '{"title":"Ada'\''s"}'`,
    ].join(" \\\n"),
  );
});

test("curlLine omits an unneeded token and disables buffering for a stream", () => {
  const responses = { 200: { description: "", content: { "text/event-stream": { schema: {} } } } };
  const open = { ...operation, method: "GET", requestBody: undefined, parameters: [], security: [], responses };

  expect(curlLine({ ...open, path: "/health" }, "http://host.test")).toBe(
    'curl --no-buffer "http://host.test/health"',
  );
});
