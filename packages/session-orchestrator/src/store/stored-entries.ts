import type { ValueSchema } from "@incipit/kernel";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";

const pageSize = 1_000;

/** All that is stored below a prefix, in the order of its keys; what is damaged is reported and left out. */
export async function* storedEntries<Value>(
  { storage, log }: Pick<OrchestratorContext, "storage" | "log">,
  prefix: string,
  schema: ValueSchema<Value>,
): AsyncGenerator<{ readonly key: string; readonly value: Value }> {
  let start = prefix;
  for (;;) {
    const damaged: string[] = [];
    const onInvalid = (key: string, error: Error): void => {
      damaged.push(key);
      log.error("A damaged record was left out", { key, error: error.message });
    };
    const page = await storage.list({ start, end: `${prefix}~`, limit: pageSize, onInvalid }, schema);
    yield* page;
    const last = [...page.map(({ key }) => key), ...damaged].toSorted().at(-1); // Keys are ASCII.
    if (last === undefined || page.length + damaged.length < pageSize) return;
    start = `${last} `; // A space sorts before all that can follow.
  }
}
