import { expect, test } from "bun:test";
import { allowedHosts, configuration } from "./configuration.ts";

function hostsOf(listen: Readonly<Record<string, unknown>>): readonly string[] {
  const read = configuration.schema["~standard"].validate({ listen, token: "t".repeat(32), version: "1.0.0" });
  if (read instanceof Promise || read.issues !== undefined) throw new Error("It is refused");
  return allowedHosts(read.value.listen);
}

test("[attack:machine-host-of-other-port] allowedHosts admits no local Host with another port", () => {
  // Local names are valid only with the open port; listed names with any port.
  for (const listen of [{}, { host: "localhost" }, { host: "127.0.0.1" }, { host: "::1" }])
    expect(hostsOf(listen)).toEqual([]);
  expect(hostsOf({ host: "192.168.1.5", allowed_hosts: ["incipit.lan"] })).toEqual(["incipit.lan", "192.168.1.5"]);
  expect(hostsOf({ host: "fd00::1", allowed_hosts: ["incipit.lan"] })).toEqual(["incipit.lan", "[fd00::1]"]);
  expect(hostsOf({ host: "0.0.0.0", allowed_hosts: ["incipit.lan"] })).toEqual(["incipit.lan"]);
});
