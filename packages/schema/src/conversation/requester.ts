import * as z from "zod";
import { escapeHiddenLine } from "../text/hidden-characters.ts";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * `host`: a built-in tool. `server`: a configured MCP server. `client-server`: an MCP server supplied by a client,
 * such as an editor. `provider`: a model provider that runs its own tools. `extension`: an added extension.
 */
const askerKindSchema = z.enum(["host", "server", "client-server", "provider", "extension"]);

/** Origin of a call or question, determined by the host; no part comes from a tool, server or model. */
export const askerSchema = lazySchema(() =>
  z.object({
    kind: askerKindSchema,
    /** Id of the extension whose code runs. */
    extension: z.string(),
    /** Name of the server or provider; for `host` and `extension` the id of the tool source, if any. */
    name: z.string().exactOptional(),
    /**
     * Digest of a server's or agent's command or address. Permissions for another one of the same name do not
     * apply.
     */
    identity: z.string().exactOptional(),
  }),
);
export type Requester = z.infer<typeof askerSchema>;

/** Returns a description such as `MCP server "bank"`, with hidden characters escaped. */
export function describeRequester(asker: Requester): string {
  return escapeHiddenLine(wordsOf(asker));
}

function wordsOf({ kind, extension, name = "" }: Requester): string {
  switch (kind) {
    case "host":
      return `Incipit (${extension})`;
    case "server":
      return `MCP server "${name}"`;
    case "client-server":
      return `MCP server "${name}", brought by a client`;
    case "provider":
      return `model provider "${name}" (${extension})`;
    case "extension":
      return `extension "${extension}"`;
  }
}

/** Returns the display name: that of the server or provider, else the extension id. */
export function requesterName({ kind, extension, name }: Requester): string {
  return kind === "host" || kind === "extension" ? extension : (name ?? extension);
}

/** Whether permissions for one apply to the other. */
export function isSameAsker(one: Requester, other: Requester): boolean {
  return (
    one.kind === other.kind &&
    one.extension === other.extension &&
    one.name === other.name &&
    one.identity === other.identity
  );
}
