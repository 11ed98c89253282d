import { expect, test } from "bun:test";
import {
  brokenExtensions,
  brokenExtensionsLine,
  missingToolsLines,
  type ExtensionState,
} from "./broken-extensions.ts";

function extension(id: string, given: Partial<ExtensionState> = {}): ExtensionState {
  return {
    id,
    path: null,
    phase: "active",
    lastError: null,
    waitsFor: [],
    contributes: [],
    provides: [],
    ...given,
  };
}

function failed(id: string, code: NonNullable<ExtensionState["lastError"]>["code"], given = {}): ExtensionState {
  return extension(id, { phase: "failed", lastError: { code, message: `no "${id}"` }, ...given });
}

test("brokenExtensions lists failed and waiting extensions, without running and stopped ones", () => {
  const all = [
    extension("runs"),
    extension("stopped", { phase: "stopped", provides: ["stopped@1"] }),
    extension("needs-it", { phase: "waiting", waitsFor: ["stopped@1"] }),
    extension("needs-nobody", { phase: "waiting", waitsFor: ["gone@1"] }),
    failed("workspace-tools", "ACTIVATE_FAILED", { contributes: ["tools@1"] }),
    failed("acme.asks", "GRANT_REQUIRED", { path: "/home/ann/my tools" }),
    failed("acme.bad", "CODE_INVALID", { path: "/bad", contributes: ["channels@1"] }),
  ];

  const broken = brokenExtensions(all);

  expect(broken.map(({ id, code, mend }) => [id, code, mend])).toEqual([
    ["needs-it", "SERVICE_UNAVAILABLE", "incipit extensions load stopped"],
    ["needs-nobody", "SERVICE_UNAVAILABLE", expect.stringContaining("incipit extensions add PATH")],
    ["workspace-tools", "ACTIVATE_FAILED", expect.stringContaining("incipit extensions load workspace-tools")],
    ["acme.asks", "GRANT_REQUIRED", "incipit extensions add '/home/ann/my tools'"],
    ["acme.bad", "CODE_INVALID", "fix that in /bad, then: incipit extensions load acme.bad"],
  ]);
  expect(missingToolsLines(broken).map((line) => /"([\w.-]+)"/.exec(line)?.[1])).toEqual([
    "workspace-tools",
    "acme.asks",
  ]);
});

test("brokenExtensionsLine returns one line for any reason, or undefined", () => {
  const long = failed("one", "CODE_FAILED", {
    lastError: { code: "CODE_FAILED", message: `a\nb${"c".repeat(900)}` },
  });

  const line = brokenExtensionsLine(brokenExtensions([long, failed("two", "CODE_FAILED")]));

  expect(line).toStartWith('The extension "one" did not start (CODE_FAILED): a\\nb');
  expect(line).toEndWith(', nor did "two". What to do: incipit doctor');
  expect(line?.length).toBeLessThan(400);
  expect(brokenExtensionsLine([])).toBeUndefined();
});
