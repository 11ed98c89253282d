import type { Clock, Contribution, FileSystem, Spawn } from "@incipit/kernel";
import type { AbsentReason } from "@incipit/schema";
import type {
  ExtensionFailure,
  FileTrust,
  FolderTrust,
  LeftOutVariableFile,
  PromptVariables,
  UntrustedPolicy,
  VariableFile,
} from "@incipit/service-contract";
import type { ResolverLimits } from "./context/limits.ts";

/** Where a value was read that whoever made the working folder may have written. */
export type TextOrigin =
  | {
      readonly kind: "file";
      /** Absolute, links followed. */
      readonly path: string;
      readonly bytes: Uint8Array;
    }
  /** A repository: what git says of it cannot be hashed, and is taken as its folder is. */
  | { readonly kind: "folder"; readonly path: string };

/** What became of a variable; a failure is one of the reasons for which it is absent, never an exception. */
export type Outcome = (
  | {
      readonly kind: "value";
      readonly value: string;
      readonly source: string;
      /** Until it is judged. */
      readonly origin?: TextOrigin;
      /** What an extension made it of; each is judged. */
      readonly files?: readonly VariableFile[];
      /** What was left out, or else is of note; in one line. */
      readonly detail?: string;
    }
  | {
      readonly kind: "absent";
      readonly reason: AbsentReason;
      readonly source: string;
      /** What the reason alone does not tell, and what to do; in one line. */
      readonly detail?: string;
    }
) & {
  /** That adds the variable; absent: it is one of the host's own. */
  readonly extension?: string;
  /** Absent: it is no text of the working folder. */
  readonly trust?: FileTrust;
  /** What an extension made it without. */
  readonly leftOut?: readonly LeftOutVariableFile[];
};

export type ResolvedVariable = Outcome & { readonly type: string; readonly name: string; readonly tookMs: number };

/** What an extension threw, in one line for people; noted where they look for it. Never rejects. */
export type DescribeFailure = (extension: string, failure: ExtensionFailure) => Promise<string>;

/** Everything that values come from, so that the resolver itself does no I/O of its own. */
export interface VariableSources {
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  /** Built-in types come before these; of two with one type, the first counts. */
  readonly contributed: readonly Contribution<PromptVariables>[];
  readonly describeFailure: DescribeFailure;
  /** `undefined`: there is nobody to ask, and nobody is trusted. */
  readonly folderTrust: FolderTrust | undefined;
  readonly untrusted: UntrustedPolicy;
  readonly limits: ResolverLimits;
}

export interface ResolverContext {
  /** Absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL. */
  readonly model: string | undefined;
  readonly conversationId: string | undefined;
  /** Whether the host's tools are there. */
  readonly hasTools: boolean;
  /** The only skills that it is for; absent: all of them. */
  readonly skills?: readonly string[];
}
