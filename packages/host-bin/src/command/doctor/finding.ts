/** What was looked at, in the order in which it is told. */
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

/** One thing that was looked at. */
export interface Finding {
  readonly check: Check;
  /** `note`: nothing is broken, and somebody may want to know. */
  readonly status: "ok" | "note" | "wrong";
  readonly what: string;
  /** A file with its line, a folder, a URL, a variable; absent: it is nowhere in particular. */
  readonly where?: string | undefined;
  /** What mends it: a command, where one does. */
  readonly fix?: string | undefined;
}
