import type { ContractId } from "../contract/handle.ts";

export type Start = "ok" | "slow" | "throw" | "reject" | "late" | "missing";

export interface Code {
  readonly starts: readonly Start[];
  readonly isProviding: boolean;
}

export interface Member {
  readonly isExclusive: boolean;
  readonly dependsOn: readonly ("none" | "required" | "optional")[];
}

export type CallKind = "short" | "long" | "chain" | "items" | "open";

export type Step =
  | { readonly kind: "add" | "swap"; readonly member: number; readonly code: Code }
  | { readonly kind: "load" | "unload" | "remove" | "swap-anew"; readonly member: number }
  | { readonly kind: "call"; readonly member: number; readonly call: CallKind; readonly isKept: boolean }
  | { readonly kind: "end-call"; readonly index: number }
  | { readonly kind: "advance"; readonly ms: number };

export function idOf(member: number): string {
  return `e${member}`;
}

export function memberOf(id: string): number {
  return Number(id.slice(1));
}

export function serviceOf(member: number): ContractId {
  return `se${member}@1`;
}

export function memberOfService(service: ContractId): number {
  return memberOf(service.slice(1, service.indexOf("@")));
}
