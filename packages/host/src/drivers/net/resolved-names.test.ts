import { expect, test } from "bun:test";
import { systemClock } from "../clock.ts";
import { lookupAll, ResolvedNames } from "./resolved-names.ts";

test("resolve gives IPv4 addresses first, and otherwise the order of the system", async () => {
  const found = ["2606:4700::2", "2606:4700::1", "9.9.9.9", "8.8.8.8"];

  const addresses = await new ResolvedNames(async () => found, systemClock).resolve("api.acme.dev");

  expect(addresses).toEqual(["9.9.9.9", "8.8.8.8", "2606:4700::2", "2606:4700::1"]);
});

test("lookupAll gives the addresses that the system has for a name", async () => {
  const addresses = await lookupAll("localhost");

  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
});

test("lookupAll names the host that the system has no address for, and keeps its code", async () => {
  const failure = await lookupAll("nowhere.invalid").catch((error: unknown) => error);

  // Without a network the system cannot even ask.
  expect(failure).toMatchObject({
    message: expect.stringMatching(
      /^the host "nowhere\.invalid" (?:was not found|could not be looked up) \(E\w+\)$/,
    ),
    code: expect.stringMatching(/^E\w+$/),
  });
});
