import type { JsonValue, SpawnResult } from "@incipit/kernel";
import { toolsPoint, type Tool } from "@incipit/service-contract";
import { startExtension, toolConformance } from "@incipit/testkit";
import extension from "./extension.ts";

const files = { "/work/a.txt": "one\ntwo\n", "/work/sub/b.txt": "three\n" };
const exited: SpawnResult = { kind: "exited", exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() };

const inputs = {
  read_file: [{ path: "a.txt" }, { path: "sub/b.txt", offset: 1, limit: 1 }],
  list_folder: [{}, { path: "sub" }],
  find_files: [{ pattern: "*.txt" }, { pattern: "**/b.{txt,md}", path: "sub", ignoreCase: true, withHidden: true }],
  search: [{ pattern: "two" }, { pattern: "t(wo|hree)", isRegex: true, ignoreCase: true, path: "sub" }],
  edit_file: [{ path: "a.txt", oldText: "two", newText: "a two" }],
  write_file: [{ path: "new/c.txt", content: "text", overwrite: true }],
  shell: [{ command: "true" }, { command: "true", timeoutSeconds: 1 }],
} as const satisfies Record<string, readonly [JsonValue, ...JsonValue[]]>;

const refused: Readonly<Record<string, readonly JsonValue[]>> = {
  read_file: [{ path: "none" }, { path: "../x" }, { path: "a.txt", more: 1 }],
  find_files: [{ pattern: "[" }, { pattern: "../*" }, { pattern: "*", path: "a.txt" }],
  search: [{ pattern: "(", isRegex: true }],
  edit_file: [
    { path: "a.txt", oldText: "o", newText: "" },
    { path: "a.txt", oldText: "x", newText: "" },
    { path: "a.txt", oldText: "two", newText: "two" },
  ],
  write_file: [{ path: "a.txt", content: "x" }],
  shell: [{ command: "a\u0000b" }],
};

for (const [name, takes] of Object.entries(inputs)) {
  const open = async (scope: AsyncDisposableStack, hang: boolean): Promise<Tool> => {
    const started = await startExtension(extension, {
      files,
      drivers: {
        spawn: () => ({
          start: async () => ({ kind: "failed", reason: "not-installed" }),
          run: (_program, _args, { signal }) =>
            hang
              ? new Promise((resolve) => {
                  const stop = (): void => resolve({ kind: "failed", reason: "aborted" });
                  if (signal?.aborted === true) stop();
                  else signal?.addEventListener("abort", stop, { once: true });
                })
              : Promise.resolve(exited),
        }),
      },
    });
    const tool = scope
      .use(started)
      .contributions(toolsPoint)
      .find((entry) => entry.name === name);
    if (tool === undefined) throw new Error(`There is no tool "${name}"`);
    return tool;
  };
  toolConformance(name, {
    takes,
    refuses: refused[name] ?? [],
    open: (scope) => open(scope, false),
    openStalled: (scope) => open(scope, true),
  });
}
