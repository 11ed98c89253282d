import { KernelError } from "../failures/kernel-error.ts";
import { describeIssues } from "../storage/schema-issues.ts";
import type { ValueSchema } from "../contract/storage.ts";

/** @throws {KernelError} `CONFIG_INVALID`. @throws {TypeError} for an asynchronous schema. */
export function readConfig<Settings>(extension: string, config: unknown, schema: ValueSchema<Settings>): Settings {
  const result = schema["~standard"].validate(config);
  if (result instanceof Promise)
    throw new TypeError(`Cannot configure "${extension}": its schema must not be asynchronous`);
  if (result.issues === undefined) return result.value;
  const message = `Cannot configure "${extension}": ${describeIssues(result.issues)}`;
  throw new KernelError("CONFIG_INVALID", message, { extension });
}
