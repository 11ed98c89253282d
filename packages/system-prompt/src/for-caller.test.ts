import { KernelError, type Caller } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { historyFor, promptFor, templatesFor } from "./for-caller.ts";
import { startService } from "./testing/start-service.ts";

function callerThatReads(...folders: readonly string[]): Caller {
  return { extension: "acme.caller", trust: "standard", granted: { fs: { read: folders } } };
}

test("calls reject a folder that the calling extension may not read", async () => {
  await using folder = await createTempFolder();
  await using elsewhere = await createTempFolder();
  await using started = await startService();
  const caller = callerThatReads(folder.path);
  const prompt = promptFor(started.service, caller);
  const history = historyFor(started.history, caller);
  const templates = templatesFor(started.templates, caller);
  await started.service.construct("kept", folder.path);
  const calls: Readonly<Record<string, (cwd: string) => Promise<unknown> | undefined>> = {
    assertTrusted: (cwd) => prompt.assertTrusted?.("kept", cwd, {}),
    construct: (cwd) => prompt.construct?.("kept", cwd, {}),
    prepare: (cwd) => prompt.prepare?.("kept", cwd, {}),
    "preview of a folder": (cwd) => prompt.preview?.({ cwd }, { defaultCwd: folder.path, defaultModel: "a/b" }),
    "preview of the default": (cwd) => prompt.preview?.({}, { defaultCwd: cwd, defaultModel: "a/b" }),
    resolveCall: (cwd) => prompt.resolveCall?.(cwd, undefined),
    applyRequestTier: (cwd) => prompt.applyRequestTier?.("kept", cwd, { system: [], mode: "append" }),
    drift: (cwd) => history.drift?.("kept", cwd, {}),
    "lint of a folder": (cwd) => templates.lint?.({ cwd }, { defaultCwd: folder.path, defaultModel: "a/b" }),
    "lint of the default": (cwd) => templates.lint?.({}, { defaultCwd: cwd, defaultModel: "a/b" }),
  };

  for (const [name, call] of Object.entries(calls)) {
    const allowed = await call(folder.path)?.then(
      () => "done",
      (error: unknown) => error,
    );
    const refused = await call(elsewhere.path)?.catch((error: unknown) => KernelError.is(error) && error.code);
    expect({ name, allowed, refused }).toEqual({ name, allowed: "done", refused: "CAPABILITY_DENIED" });
  }
});
