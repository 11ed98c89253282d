import { expect, test } from "bun:test";
import { usesVendorsSearch } from "./tool-search.ts";

const vendorUrl = "https://api.anthropic.com/v1";

test("usesVendorsSearch defaults to true only for the vendor's URL and a documented model", () => {
  for (const [baseUrl, isDocumented, configured, expected] of [
    [undefined, true, undefined, true],
    [undefined, false, undefined, false],
    [undefined, true, "host", false],
    [undefined, false, "vendor", true],
    ["https://api.anthropic.com/v1", true, undefined, true],
    ["https://api.anthropic.com", true, undefined, true],
    ["http://api.anthropic.com/v1", true, undefined, false],
    ["https://api.anthropic.com.acme.dev/v1", true, undefined, false],
    ["https://api.z.ai/api/anthropic", true, undefined, false],
    ["http://127.0.0.1:4000/v1", true, undefined, false],
    ["http://127.0.0.1:4000/v1", false, "vendor", true],
    ["no address", true, undefined, false],
  ] as const) {
    const answer = usesVendorsSearch({ configured, endpoint: { baseUrl }, vendorUrl, isDocumented });
    expect([baseUrl, isDocumented, configured, answer]).toEqual([baseUrl, isDocumented, configured, expected]);
  }
});
