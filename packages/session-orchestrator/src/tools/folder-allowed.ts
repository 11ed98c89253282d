import { isSameAsker, type Requester } from "@incipit/schema";
import { ServiceError, type FolderGrants } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { GivenGrant } from "./call-grants.ts";

export interface FolderAllowed {
  /** Never rejects; `undefined` when the folder has no grants and can have none. */
  readonly see: () => Promise<SeenFolder | undefined>;
}

/** At one point in time; a replaced folder is a different one. */
export interface SeenFolder {
  readonly folder: string;
  readonly grants: readonly GivenGrant[];
  /** Returns the function that revokes the new grants. Rejects when the folder can no longer have grants. */
  readonly allow: (grants: readonly string[]) => Promise<() => Promise<void>>;
}

interface FolderAllowedOptions extends Pick<OrchestratorContext, "folderGrants"> {
  readonly cwd: string;
  readonly isImported: boolean;
  readonly isUnattended: boolean;
}

/**
 * `undefined` for imported conversations, whose content may be hostile, and for unattended runs: their grants must
 * come from the configuration or the turn.
 */
export function folderAllowed(
  { name, owner }: { readonly name: string; readonly owner: Requester },
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
        // The service reports the failure; the call then requires approval.
        return undefined;
      }
    },
  };
}
