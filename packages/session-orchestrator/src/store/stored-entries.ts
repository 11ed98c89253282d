import type { ValueSchema, Versioned } from "@incipit/kernel";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";

/** All that is stored below a prefix, in the order of its keys; what is damaged is reported and left out. */
export function storedEntries<Value>(
  { storage, log }: Pick<OrchestratorContext, "storage" | "log">,
  prefix: string,
  schema: ValueSchema<Value>,
): AsyncGenerator<Versioned<Value>, void> {
  return storage.entries(prefix, schema, {
    onInvalid: (key, error) => log.error("A damaged record was left out", { key, error: error.message }),
  });
}
