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

/** The author of the working folder may control the value. */
export type TextOrigin =
  | {
      readonly kind: "file";
      /** Absolute, with links resolved. */
      readonly path: string;
      readonly bytes: Uint8Array;
    }
  /** Git output cannot be hashed and is trusted like its folder. */
  | { readonly kind: "folder"; readonly path: string };

/** Failures are reasons for absence, never exceptions. */
export type Outcome = (
  | {
      readonly kind: "value";
      readonly value: string;
      readonly source: string;
      /** Set until trust is determined. */
      readonly origin?: TextOrigin;
      /** Contributed to an extension's value, each with its trust. */
      readonly files?: readonly VariableFile[];
      /** One line, such as omissions. */
      readonly detail?: string;
    }
  | {
      readonly kind: "absent";
      readonly reason: AbsentReason;
      readonly source: string;
      /** One line, with a remedy. */
      readonly detail?: string;
    }
) & {
  /** Absent if built in. */
  readonly extension?: string;
  /** Absent for text outside the working folder. */
  readonly trust?: FileTrust;
  /** Omitted by the extension. */
  readonly leftOut?: readonly LeftOutVariableFile[];
};

export type ResolvedVariable = Outcome & { readonly type: string; readonly name: string; readonly tookMs: number };

/** One line; also records the error in the extension's health. Never rejects. */
export type DescribeFailure = (extension: string, failure: ExtensionFailure) => Promise<string>;

/** Data sources of the resolver, which does no I/O itself. */
export interface VariableSources {
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  /** Built-in types take precedence; of duplicates, the first. */
  readonly contributed: readonly Contribution<PromptVariables>[];
  readonly describeFailure: DescribeFailure;
  /** Without it, nothing is trusted. */
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
  /** `false` for a call without the host's tools. */
  readonly hasTools: boolean;
  /** Defaults to all. */
  readonly skills?: readonly string[];
}
