/** `name@major`, such as `system-prompt@1`: identifies a service or an extension point across versions of its code. */
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

/** What a member has to be; `any` is not looked at. With `?` it may be left out. */
export type MemberKind = `${"function" | "string" | "number" | "boolean" | "list" | "any"}${"" | "?"}`;

/** Every member of a type, each with what it has to be: plain data, from which a value can be checked. */
export type MemberKinds<Value> = {
  readonly [Key in keyof Value & string]-?: undefined extends Value[Key]
    ? `${Kind<Exclude<Value[Key], undefined>>}?`
    : Kind<Value[Key]>;
};

/** What is known of a service or a point beside its types. */
export interface Contract {
  readonly id: ContractId;
  /** Absent: whatever is given is taken. */
  readonly members?: Readonly<Record<string, MemberKind>>;
  /** As `ExtensionPoint.key`. */
  readonly key?: string;
}

declare const serviceType: unique symbol;
declare const valueType: unique symbol;

/** The typed key of a service. Two handles with one `id` are the same handle. */
export interface ServiceHandle<Service> extends Contract {
  readonly [serviceType]?: Service;
}

/** The typed key of a list that many extensions add to. Two points with one `id` are the same point. */
export interface ExtensionPoint<Value> extends Contract {
  /** The member that tells values apart: by it, a value of the next generation is found again. It stays what it is when it comes. */
  readonly key?: string;
  readonly [valueType]?: Value;
}

/** @param members With these, a service is checked when it is provided, and others see these members of it alone. */
export function defineHandle<Service>(id: ContractId, members?: MemberKinds<Service>): ServiceHandle<Service> {
  return Object.freeze(members === undefined ? { id } : { id, members: Object.freeze(members) });
}

export interface PointOptions<Value> {
  readonly key?: keyof Value & string;
  /** With these, a value is checked when it is contributed. */
  readonly members?: MemberKinds<Value>;
}

export function definePoint<Value>(id: ContractId, options: PointOptions<Value> = {}): ExtensionPoint<Value> {
  const { members, ...others } = options;
  return Object.freeze({ id, ...others, ...(members === undefined ? {} : { members: Object.freeze(members) }) });
}
