import { isSameAsker, type Asker } from "@incipit/schema";
import { ServiceError, type FolderGrants } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { GivenGrant } from "./call-grants.ts";

/** The folder of a conversation, for the calls of one tool there. */
export interface FolderAllowed {
  /** Never rejects; `undefined`: nothing is allowed there beyond a conversation, nor can be. */
  readonly see: () => Promise<SeenFolder | undefined>;
}

/** What "always" covers in a folder that was there at one moment; another one in its place is another folder. */
export interface SeenFolder {
  /** Absolute. */
  readonly folder: string;
  readonly grants: readonly GivenGrant[];
  /** Gives what takes it back, as far as it was not allowed before. Rejects where nothing can be allowed any more. */
  readonly allow: (grants: readonly string[]) => Promise<() => Promise<void>>;
}

interface FolderAllowedOptions extends Pick<OrchestratorContext, "folderGrants"> {
  readonly cwd: string;
  readonly isImported: boolean;
  readonly isUnattended: boolean;
}

/**
 * `undefined` for a conversation of others, whose words may be a stranger's, and where nobody watches: who wants such calls to run
 * says so in the configuration, or for the turn.
 */
export function folderAllowed(
  { name, owner }: { readonly name: string; readonly owner: Asker },
  { folderGrants, cwd, isImported, isUnattended }: FolderAllowedOptions,
): FolderAllowed | undefined {
  if (isImported || isUnattended) return undefined;
  const needed = (): FolderGrants => {
    if (folderGrants.current !== undefined) return folderGrants.current;
    throw new ServiceError("INVALID_REQUEST", "This host keeps nothing that is allowed beyond a conversation");
  };
  const of = `"always" in ${JSON.stringify(cwd)}`;
  return {
    async see() {
      try {
        const found = await folderGrants.current?.allowedIn(cwd);
        if (found === undefined) return undefined;
        const own = found.allowed.filter(({ tool, by }) => tool === name && isSameAsker(by, owner));
        return {
          folder: cwd,
          grants: own.flatMap(({ grants }) => grants.map((grant) => ({ grant, of }))),
          async allow(grants) {
            const kept = needed();
            const added = await kept.allow(cwd, { tool: name, by: owner, grants, identity: found.identity });
            return async () => (added === undefined ? undefined : kept.takeBack(added));
          },
        };
      } catch {
        // Who keeps them tells why they cannot be read; the call is asked about.
        return undefined;
      }
    },
  };
}
