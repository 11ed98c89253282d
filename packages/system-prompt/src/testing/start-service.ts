import {
  createKernel,
  defineExtension,
  KernelError,
  storageDriverHandle,
  type Extension,
  type FileSystem,
  type JsonValue,
  type Log,
  type Spawn,
  type StorageBatch,
  type StorageDriver,
} from "@incipit/kernel";
import {
  conversationTextsHandle,
  modelProvidersPoint,
  folderTrustHandle,
  hostDefaultsHandle,
  promptHistoryHandle,
  promptSegmentsPoint,
  promptTemplatesHandle,
  promptVariablesPoint,
  systemPromptHandle,
  type ConversationTexts,
  type FolderTrust,
  type HostDefaults,
  type Profile,
  type ModelProvider,
  type PromptHistory,
  type PromptSegment,
  type PromptTemplates,
  type PromptVariables,
  type SystemPromptService,
} from "@incipit/service-contract";
import { createMemoryStorage, FakeClock } from "@incipit/testkit";
import systemPrompt from "../extension.ts";
import { realFileSystem, realSpawn } from "./real-drivers.ts";

export const namespace = "system-prompt/system-prompt";

export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

export async function putStored(storage: StorageDriver, key: string, value: JsonValue): Promise<void> {
  await storage.atomic([], [{ kind: "set", namespace, key, value }]);
}

/** Returns the reason of a rejection, or `undefined`. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function segment(id: string, text: PromptSegment["text"], order = 0): PromptSegment {
  return { id, order, text };
}

/** Variables of the type "odd", which no list names. */
export function odd(resolve: PromptVariables["resolve"]): readonly [PromptVariables] {
  return [{ type: "odd", variables: [], resolve }];
}

export interface StartOptions {
  readonly config?: Partial<Pick<HostDefaults, "systemPrompt" | "promptRefresh">> & {
    readonly profiles?: Readonly<Record<string, Omit<Profile, "name">>>;
    readonly appendSystemPrompt?: string;
    readonly untrusted?: "allow" | "ask" | "blank";
    /** As in `[extensions.settings.system-prompt]`. */
    readonly limits?: Readonly<Record<string, number>>;
  };
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  readonly fs?: Pick<FileSystem, "readFile">;
  readonly spawn?: Pick<Spawn, "run">;
  readonly segments?: readonly PromptSegment[];
  readonly variables?: readonly PromptVariables[];
  readonly models?: readonly ModelProvider[];
  readonly folderTrust?: FolderTrust;
}

export interface StartedService extends AsyncDisposable {
  readonly service: SystemPromptService;
  readonly history: PromptHistory;
  readonly templates: PromptTemplates;
  readonly texts: ConversationTexts;
  readonly storage: StorageDriver;
  readonly clock: FakeClock;
  readonly commit: (batch: StorageBatch) => Promise<unknown>;
  readonly logged: { readonly message: string; readonly fields: unknown }[];
}

export async function startService(options: StartOptions = {}): Promise<StartedService> {
  const { systemPrompt: template, profiles = {}, promptRefresh = "compaction", ...own } = options.config ?? {};
  const { appendSystemPrompt: append, untrusted = "allow", limits } = own;
  const config: Readonly<Record<string, JsonValue>> = {
    ...(append === undefined ? {} : { append_system_prompt: append }),
    prompt: { untrusted },
    ...limits,
  };
  const { storage = createMemoryStorage(), clock = new FakeClock() } = options;
  const { fs = realFileSystem, spawn = realSpawn(), segments = [], variables = [], models = [] } = options;
  const logged: { readonly message: string; readonly fields: unknown }[] = [];
  const record: Log["info"] = (message, fields) => void logged.push({ message, fields });
  const refuse = (): never => {
    throw new Error("The prompt builder has no use for this");
  };
  const kernel = createKernel({
    drivers: {
      clock,
      fs: () => ({
        readFile: (path, readOptions) => fs.readFile(path, readOptions),
        list: refuse,
        readFolder: refuse,
        locate: refuse,
        writeFile: refuse,
        removeFile: refuse,
      }),
      spawn: () => ({ ...spawn, start: async () => ({ kind: "failed", reason: "not-installed" }) }),
      net: refuse,
      env: refuse,
      listen: refuse,
      log: () => ({ debug: record, info: record, warn: record, error: record }),
      config: (extension) => (extension === systemPrompt.manifest.id ? config : {}),
    },
  });
  const storageExtension = defineExtension(
    { id: "memory", version: "1.0.0", api: "^1", provides: ["storage-driver@1"] },
    (host) => host.provideService(storageDriverHandle, storage),
  );
  const committer = Promise.withResolvers<StartedService["commit"]>();
  const committing = defineExtension(
    { id: "acme.committer", version: "1.0.0", api: "^1", capabilities: { storage: true } },
    (host) => {
      const own = host.storage("own");
      committer.resolve((batch) => own.atomic([], [], { join: [batch] }));
    },
  );
  kernel.provide(hostDefaultsHandle, {
    model: "offline/echo",
    cwd: "/nowhere",
    promptRefresh,
    ...(template === undefined ? {} : { systemPrompt: template }),
    profiles: Object.entries(profiles).map(([name, profile]) => ({ name, ...profile })),
  });
  kernel.provide(folderTrustHandle, options.folderTrust ?? trustsAll);
  await kernel.add(
    [storageExtension, systemPrompt, contributor({ segments, variables, models }), committing].map((extension) => ({
      extension,
    })),
  );
  const service = kernel.service(systemPromptHandle);
  const templates = kernel.service(promptTemplatesHandle);
  const history = kernel.service(promptHistoryHandle);
  const texts = kernel.service(conversationTextsHandle);
  if (service === undefined || templates === undefined || history === undefined || texts === undefined)
    throw new Error(JSON.stringify(kernel.list()));
  const commit = await committer.promise;
  return {
    service,
    history,
    templates,
    texts,
    storage,
    clock,
    commit,
    logged,
    [Symbol.asyncDispose]: () => clock.advanceUntil(kernel.close()),
  };
}

function unlessRefused(contribute: () => void): void {
  try {
    contribute();
  } catch (error) {
    if (!KernelError.is(error) || error.code !== "CONTRIBUTION_INVALID") throw error;
  }
}

const trustsAll: FolderTrust = {
  judgeFile: async () => "trusted",
  judgeFiles: async (files) => files.map(() => "trusted"),
  judgeFolder: async () => "trusted",
};

function contributor({
  segments,
  variables,
  models,
}: Required<Pick<StartOptions, "segments" | "variables" | "models">>): Extension {
  return defineExtension(
    {
      id: "acme.additions",
      version: "1.0.0",
      api: "^1",
      contributes: ["prompt-segments@1", "prompt-variables@1", "model-providers@1"],
    },
    (host) => {
      for (const model of models) host.contribute(modelProvidersPoint, model);
      for (const segment of segments) unlessRefused(() => host.contribute(promptSegmentsPoint, segment));
      for (const variable of variables) unlessRefused(() => host.contribute(promptVariablesPoint, variable));
    },
  );
}
