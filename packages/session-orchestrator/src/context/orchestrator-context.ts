import type { Redactor } from "@incipit/redaction";
import type { Clock, Contributions, FileSystem, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  CommandsService,
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

export interface OrchestratorContext {
  readonly fs: Pick<FileSystem, "list">;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly defaults: HostDefaults;
  /** Replaced when the host learns new secrets. */
  readonly redactor: Redactor;
  readonly start: HostStart;
  readonly windows: ContextWindows;
  readonly files: SendableFiles;
  readonly observers: WorkObservers;
  /** Registers work that a swap waits for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly providers: Contributions<ModelProvider>;
  readonly tools: Contributions<Tool>;
  readonly toolSources: Contributions<ToolSource>;
  readonly deferredLists: DeferredLists;
  readonly systemPrompt: ServiceReference<SystemPromptService>;
  /** Without it, only profiles of the configuration exist. */
  readonly profiles: ServiceReference<ProfilesService>;
  readonly commands: ServiceReference<CommandsService>;
  /** Without it, prompt drift is unknown. */
  readonly promptHistory: ServiceReference<PromptHistory>;
  readonly conversationTexts: ServiceReference<ConversationTexts>;
  readonly workspaceFiles: ServiceReference<WorkspaceFiles>;
  /** Without it, "always" approvals apply to their conversation only. */
  readonly folderGrants: ServiceReference<FolderGrants>;
  /** Without it, deleted data may remain in the storage's files. */
  readonly erasure: ServiceReference<StorageErasure>;
}

export class LiveRedactor {
  readonly #others: Redactor;
  readonly #secretsNow: () => readonly string[];
  #secrets: readonly string[] = [];
  #current: Redactor;

  /** @param secretsNow Returns a list that only grows. */
  constructor(others: Redactor, secretsNow: () => readonly string[]) {
    this.#others = others;
    this.#current = others;
    this.#secretsNow = secretsNow;
  }

  get current(): Redactor {
    const secrets = this.#secretsNow();
    if (secrets.length !== this.#secrets.length) {
      this.#secrets = secrets;
      this.#current = this.#others.withValues(secrets);
    }
    return this.#current;
  }

  redact(text: string): string {
    return this.current.redact(text);
  }
}
