type Check =
  | "versions"
  | "configuration"
  | "permissions"
  | "keys"
  | "providers"
  | "storage"
  | "host"
  | "limits"
  | "port"
  | "extensions"
  | "mcp"
  | "trust";

export interface Finding {
  readonly check: Check;
  readonly status: "ok" | "note" | "wrong";
  readonly what: string;
  readonly where?: string | undefined;
  readonly fix?: string | undefined;
}
