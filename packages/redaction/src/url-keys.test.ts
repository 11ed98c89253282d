import { expect, test } from "bun:test";
import { urlKeys } from "./url-keys.ts";

const found: readonly (readonly [url: string, keys: readonly string[]])[] = [
  ["https://mcp.acme.dev/api/s/YjA3Mzk5ZDQtNGY2Yi00/mcp", ["YjA3Mzk5ZDQtNGY2Yi00"]],
  ["https://a.dev/0123abcd-4567-89ab-cdef-0123456789ab/mcp", ["0123abcd-4567-89ab-cdef-0123456789ab"]],
  ["https://a.dev/9f86d081884c7d659a2feaa0c55ad015", ["9f86d081884c7d659a2feaa0c55ad015"]],
  ["https://a.dev/kXbPqLmZtRwYvNcHsDfG/v1", ["kXbPqLmZtRwYvNcHsDfG"]],
  ["https://a.dev/kXbPqLmZtRwYvNcH/v1", ["kXbPqLmZtRwYvNcH"]],
  ["https://a.dev/mcp?apiKey=short&profile=quiet-otter", ["short"]],
  ["https://a.dev/mcp?p=9f86d081884c7d659a2feaa0c55ad015", ["9f86d081884c7d659a2feaa0c55ad015"]],
  ["https://ada:word%21@a.dev/v1", ["word!"]],
  ["https://token@a.dev/%E0%A4%A/v1", ["token"]],
];
for (const [url, keys] of found)
  test(`urlKeys finds ${keys.join(" and ")} in ${url}`, () => expect(urlKeys(url)).toEqual(keys));

test("urlKeys ignores names, dates and versions", () => {
  for (const path of [
    "openai/deployments/gpt-4o-mini-2024-07-18/chat/completions",
    "v1beta/projects/my-project-123456/locations/us-central1/publishers/google",
    "models/claude-3-5-sonnet-20241022-v2:0/invoke-with-response-stream",
    "chatCompletionsEndpointForTheTeamOfAda/textembedding3large",
    "2024-05-01-preview/internationalization",
    "202405010000000000",
    "kXbPqLmZtRwYvNc",
  ])
    expect([path, urlKeys(`https://a.dev/${path}?api-version=2024-05-01-preview`)]).toEqual([path, []]);
});
