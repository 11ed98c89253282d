import type { ValueSchema, Versioned } from "@incipit/kernel";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";

export function storedEntries<Value>(
  { storage, log }: Pick<OrchestratorContext, "storage" | "log">,
  prefix: string,
  schema: ValueSchema<Value>,
): AsyncGenerator<Versioned<Value>, void> {
  return storage.entries(prefix, schema, {
    onInvalid: (key, error) => log.error("Skipped a damaged record", { key, error: error.message }),
  });
}
