/** `name@major`, such as `system-prompt@1`: identifies a service or an extension point across code versions. */
export type ContractId = `${string}@${number}`;

type Kind<Value> = [Value] extends [(...args: never[]) => unknown]
  ? "function"
  : [Value] extends [string]
    ? "string"
    : [Value] extends [number]
      ? "number"
      : [Value] extends [boolean]
        ? "boolean"
        : [Value] extends [readonly unknown[]]
          ? "list"
          : "any";

/** Expected type of a member; `any` is not checked. `?` marks an optional member. */
export type MemberKind = `${"function" | "string" | "number" | "boolean" | "list" | "any"}${"" | "?"}`;

/** The expected type of every member, as plain data for runtime checks. */
export type MemberKinds<Value> = {
  readonly [Key in keyof Value & string]-?: undefined extends Value[Key]
    ? `${Kind<Exclude<Value[Key], undefined>>}?`
    : Kind<Value[Key]>;
};

/** Runtime facts about a service or an extension point. */
export interface Contract {
  readonly id: ContractId;
  /** Absent: any value is accepted. */
  readonly members?: Readonly<Record<string, MemberKind>>;
  /** As in `ExtensionPoint.key`. */
  readonly key?: string;
}

declare const serviceType: unique symbol;
declare const valueType: unique symbol;

/** The typed key of a service. Handles with the same `id` are equivalent. */
export interface ServiceHandle<Service> extends Contract {
  readonly [serviceType]?: Service;
}

/** The typed key of a list of contributions. Points with the same `id` are equivalent. */
export interface ExtensionPoint<Value> extends Contract {
  /** The member that identifies a value across generations. It must not change after contribution. */
  readonly key?: string;
  readonly [valueType]?: Value;
}

/** @param members When given, services are checked on registration, and consumers see only these members. */
export function defineHandle<Service>(id: ContractId, members?: MemberKinds<Service>): ServiceHandle<Service> {
  return Object.freeze(members === undefined ? { id } : { id, members: Object.freeze(members) });
}

export interface PointOptions<Value> {
  readonly key?: keyof Value & string;
  /** When given, values are checked on contribution. */
  readonly members?: MemberKinds<Value>;
}

export function definePoint<Value>(id: ContractId, options: PointOptions<Value> = {}): ExtensionPoint<Value> {
  const { members, ...others } = options;
  return Object.freeze({ id, ...others, ...(members === undefined ? {} : { members: Object.freeze(members) }) });
}
