import * as z from "zod";
import { escapeHiddenLine } from "../text/hidden-characters.ts";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * Who is behind a call or a question. `host`: a tool of the host's own. `server`: an MCP server of the configuration.
 * `client-server`: an MCP server that a client, such as an editor, has brought along. `provider`: a model provider that runs
 * tools by itself. `extension`: an extension that was added.
 */
const askerKindSchema = z.enum(["host", "server", "client-server", "provider", "extension"]);

/** Who asks, as the host knows it: nothing in it comes from a tool, a server or a model. */
export const askerSchema = lazySchema(() =>
  z.object({
    kind: askerKindSchema,
    /** Id of the extension whose code asks. */
    extension: z.string(),
    /** Name of the server or the provider; for `host` and `extension` the id of the source that lists the tool, absent without one. */
    name: z.string().exactOptional(),
    /** Digest of the command or address of a server or an agent; what was allowed for another one of its name does not count. */
    identity: z.string().exactOptional(),
  }),
);
export type Asker = z.infer<typeof askerSchema>;

/** Returns the words for an asker, such as `MCP server "bank"`, with hidden characters escaped. */
export function askerText(asker: Asker): string {
  return escapeHiddenLine(wordsOf(asker));
}

function wordsOf({ kind, extension, name = "" }: Asker): string {
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

/** Returns the name by which people know an asker: that of its server or provider, else the id of its extension. */
export function askerName({ kind, extension, name }: Asker): string {
  return kind === "host" || kind === "extension" ? extension : (name ?? extension);
}

/** Whether both are the same: what was allowed for one does not count for another. */
export function isSameAsker(one: Asker, other: Asker): boolean {
  return (
    one.kind === other.kind &&
    one.extension === other.extension &&
    one.name === other.name &&
    one.identity === other.identity
  );
}
