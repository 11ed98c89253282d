import type { Redactor } from "@incipit/redaction";
import type { Clock, Contributions, FileSystem, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  ConversationTexts,
  FolderGrants,
  HostDefaults,
  ModelProvider,
  ProfilesService,
  PromptHistory,
  StorageErasure,
  SystemPromptService,
  Tool,
  ToolSource,
  WorkspaceFiles,
} from "@incipit/service-contract";
import type { DeferredLists } from "../lookup/deferred-lists.ts";
import type { SendableFiles } from "../files/sendable-files.ts";
import type { ContextWindows } from "../models/context-windows.ts";
import type { HostStart } from "../waits/host-start.ts";
import type { Settings } from "./configuration.ts";
import type { WorkObservers } from "./work-observers.ts";

/** What everything in this package works with. */
export interface OrchestratorContext {
  readonly fs: Pick<FileSystem, "list">;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly defaults: HostDefaults;
  /** For what is kept of model calls beside the history. Another one once the host knows of more secrets. */
  readonly redactor: Redactor;
  readonly start: HostStart;
  readonly windows: ContextWindows;
  readonly files: SendableFiles;
  readonly observers: WorkObservers;
  /** Work that a swap has to wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly providers: Contributions<ModelProvider>;
  readonly tools: Contributions<Tool>;
  readonly toolSources: Contributions<ToolSource>;
  readonly deferredLists: DeferredLists;
  /** Optional: without it no system text is sent. */
  readonly systemPrompt: ServiceReference<SystemPromptService>;
  /** Optional: without it there are the profiles of the configuration. */
  readonly profiles: ServiceReference<ProfilesService>;
  /** Optional: without it nobody can say how a prompt differs from what it would be. */
  readonly promptHistory: ServiceReference<PromptHistory>;
  /** Optional: without it no conversation is given system texts of its own. */
  readonly conversationTexts: ServiceReference<ConversationTexts>;
  /** Optional: without it no file is put back. */
  readonly workspaceFiles: ServiceReference<WorkspaceFiles>;
  /** Optional: without it "always" holds in its conversation alone. */
  readonly folderGrants: ServiceReference<FolderGrants>;
  /** Optional: without it what was deleted may still be found in the storage's files. */
  readonly erasure: ServiceReference<StorageErasure>;
}
