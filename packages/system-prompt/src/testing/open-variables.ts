import { FakeClock } from "@incipit/testkit";
import { configuration, toSettings, type Settings } from "../context/configuration.ts";
import type { Outcome, ResolverContext } from "../types.ts";
import type { VariableContext, VariableType } from "../variables/variable-type.ts";

export function defaultLimits(): Settings["limits"] {
  const read = configuration.schema["~standard"].validate({});
  if (read instanceof Promise || read.issues !== undefined) throw new Error("The defaults do not fit");
  return toSettings(read.value).limits;
}

export interface OpenOptions
  extends
    Pick<VariableContext, "fs" | "spawn">,
    Pick<ResolverContext, "cwd">,
    Partial<Omit<ResolverContext, "cwd">> {}

export function openVariables(
  type: VariableType,
  { fs, spawn, cwd, model, conversationId, hasTools = true }: OpenOptions,
): (name: string) => Promise<Outcome> {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const read = type.open({
    context: { cwd, model, conversationId, hasTools },
    now: new Date(clock.now()),
    fs,
    spawn,
    clock,
    limits: defaultLimits(),
    signal,
  });
  return async (name) => read({ name, remainingBytes: Infinity, signal });
}
