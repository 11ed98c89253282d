import { expect, test } from "bun:test";
import { systemClock } from "../clock.ts";
import { lookupAll, ResolvedNames } from "./resolved-names.ts";

test("resolve sorts IPv4 addresses first and otherwise keeps the system's order", async () => {
  const found = ["2606:4700::2", "2606:4700::1", "9.9.9.9", "8.8.8.8"];

  const addresses = await new ResolvedNames(async () => found, systemClock).resolve("api.acme.dev");

  expect(addresses).toEqual(["9.9.9.9", "8.8.8.8", "2606:4700::2", "2606:4700::1"]);
});

test("lookupAll returns the system's addresses of a name", async () => {
  const addresses = await lookupAll("localhost");

  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
});

test("lookupAll names the host it cannot resolve and keeps the error code", async () => {
  const failure = await lookupAll("nowhere.invalid").catch((error: unknown) => error);

  expect(failure).toMatchObject({
    message: expect.stringMatching(
      /^the host "nowhere\.invalid" (?:was not found|could not be looked up) \(E\w+\)$/,
    ),
    code: expect.stringMatching(/^E\w+$/),
  });
});
