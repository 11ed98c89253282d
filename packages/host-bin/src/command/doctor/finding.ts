/** Checks, in the order of the report. */
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
  /** `note`: information, nothing is broken. */
  readonly status: "ok" | "note" | "wrong";
  readonly what: string;
  /** A file with its line, a folder, a URL or a variable; absent without a specific place. */
  readonly where?: string | undefined;
  /** A fix, preferably a command. */
  readonly fix?: string | undefined;
}
