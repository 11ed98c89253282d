import type { PlainObject } from "../json/plain-object.ts";

export type RpcId = string | number;

/** A notification has no id. */
export interface RpcCall {
  readonly jsonrpc: "2.0";
  readonly id?: RpcId;
  readonly method: string;
  readonly params?: PlainObject;
}

interface RpcResult {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result: PlainObject;
}

export interface RpcFailure {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type RpcMessage = RpcCall | RpcResult | RpcFailure;
