import { KernelError, type Storage, type ValueSchema, type Versioned } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

/** @throws {ServiceError} `STORED_DATA_DAMAGED` for unreadable data. */
export async function getStored<Value>(
  storage: Storage,
  key: string,
  schema: ValueSchema<Value>,
): Promise<Versioned<Value> | undefined> {
  try {
    return await storage.getVersioned(key, schema);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw damaged(key, "it does not have the shape that this version writes", cause);
  }
}

export function isDamage(error: unknown): boolean {
  return KernelError.is(error) && error.code === "STORED_VALUE_INVALID";
}

export function damaged(key: string, what: string, cause?: unknown): ServiceError {
  const message = `Cannot read "${key}" of the stored system prompts: ${what}; it was left as it is`;
  return new ServiceError("STORED_DATA_DAMAGED", message, { details: { key }, cause });
}
