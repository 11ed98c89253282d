/** In the order of the report. */
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
  /** `note`: nothing is broken. */
  readonly status: "ok" | "note" | "wrong";
  readonly what: string;
  /** Absent without a specific place. */
  readonly where?: string | undefined;
  /** Preferably a command. */
  readonly fix?: string | undefined;
}
