/** `name@major`, such as `system-prompt@1`: identifies a service or an extension point across versions of its code. */
export type ContractId = `${string}@${number}`;

declare const serviceType: unique symbol;
declare const valueType: unique symbol;

/** The typed key of a service. Two handles with one `id` are the same handle. */
export interface ServiceHandle<Service> {
  readonly id: ContractId;
  readonly [serviceType]?: Service;
}

/** The typed key of a list that many extensions add to. Two points with one `id` are the same point. */
export interface ExtensionPoint<Value> {
  readonly id: ContractId;
  /** What tells the values of one extension apart: by it, a value of the next generation is found again. */
  readonly keyOf?: (value: Value) => string;
  readonly [valueType]?: Value;
}

export function defineHandle<Service>(id: ContractId): ServiceHandle<Service> {
  return { id };
}

export function definePoint<Value>(id: ContractId, keyOf?: (value: Value) => string): ExtensionPoint<Value> {
  return keyOf === undefined ? { id } : { id, keyOf };
}
