import {
  createHost as createAnyHost,
  HostStartError,
  type BuiltInExtension,
  type HostFacts,
  type HostOptions as AnyHostOptions,
  type RunningHost as AnyRunningHost,
} from "@incipit/host";
import type { Extension } from "@incipit/kernel";
import { compilePattern, Redactor } from "@incipit/redaction";
import {
  AddedSettings,
  type Config,
  ConfigError,
  Configured,
  proxiesOf,
  reservedNames,
  reservedTools,
} from "@incipit/host/configuration";
import { suggestion } from "@incipit/common/suggestion";
import { CORE_EXTENSIONS } from "./core-extensions.ts";
import { hostDefaults } from "./host-defaults.ts";
import { configuredSecrets } from "./config/configured-secrets.ts";
import { coreSchema } from "./config/core-schema.ts";
import { version } from "./version.ts";

export interface HostOptions extends Pick<
  AnyHostOptions,
  "dataFolder" | "logLevel" | "catchUncaught" | "timeouts"
> {
  readonly config: Config;
  /** Default working folder of conversations; absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; of the user's `incipit.toml`, whether or not it exists, and other files. */
  readonly userFolder?: string | undefined;
  readonly writeLog: (line: string) => void;
  readonly extensions?: readonly Extension[];
}

export interface RunningHost extends AnyRunningHost {
  readonly url: string;
}

/**
 * @throws {DataFolderHeld} when another host uses the data folder; {ConfigError} when an extension to disable does not
 * exist; {HostStartError} when storage or HTTP did not start.
 */
export async function createHost(options: HostOptions): Promise<RunningHost> {
  const { config, cwd, env, userFolder, extensions = [], ...others } = options;
  const { paths, disabled } = config.extensions;
  const configured = new Configured(config, coreSchema.extensions);
  const added = new AddedSettings(config, coreSchema);
  const host = await createAnyHost({
    ...others,
    env,
    extensions: [...CORE_EXTENSIONS, ...extensions].map((extension) =>
      builtIn(extension, { configured, userFolder }),
    ),
    defaults: hostDefaults(config, { cwd }),
    folders: { paths, disabled },
    configuration: { config, schema: coreSchema },
    ...(config.storage.use === undefined ? {} : { storageDriver: config.storage.use }),
    settings: (extension) => added.take(extension),
    proxies: (extension) => proxiesOf(configured, extension),
    reserved: reservedNames(configured, {
      kinds: coreSchema.kinds,
      kindsOf: (extension) => added.kindsOf(extension),
    }),
    secrets: configuredSecrets(configured, env),
    redactor: await shapeRedactor(config),
    areProgramsConfined: config.tools.confine,
    checkIds: (ids) => checkDisabled(config, ids),
  });
  const { url } = host;
  if (url !== undefined) return { ...host, url };
  await host.close();
  throw new HostStartError('Without "transport-http" the host has no API; remove it from extensions.disabled');
}

function builtIn(
  extension: Extension,
  { configured, userFolder }: { readonly configured: Configured; readonly userFolder: string | undefined },
): BuiltInExtension {
  const { id } = extension.manifest;
  const { disabled } = configured.config.extensions;
  let known: { readonly facts: HostFacts; readonly settings: unknown } | undefined;
  return {
    extension,
    grant: configured.grant(extension),
    isDisabled: disabled.includes(id) || !configured.isWanted(extension),
    settings(facts) {
      // The host's facts change, such as by a new secret.
      if (known?.facts !== facts)
        known = {
          facts,
          settings: { ...configured.values(extension), ...factsFor(id, facts, { configured, userFolder }) },
        };
      return known.settings;
    },
    // The git commands are fixed and run no code of the repository; a launcher would only cost time.
    startsProgramsDirectly: id === "system-prompt",
  };
}

function checkDisabled({ extensions: { disabled, paths } }: Config, known: readonly string[]): void {
  const unknown = disabled.find((id) => !known.includes(id));
  if (unknown === undefined || paths.length > 0) return;
  throw new ConfigError(
    `key "extensions.disabled" names "${unknown}", which does not exist${suggestion(unknown, known)}`,
  );
}

async function shapeRedactor({ records: { redact: patterns } }: Config): Promise<Redactor> {
  for (const [index, pattern] of patterns.entries()) {
    await compilePattern(pattern).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `key "records.redact[${index}]" is ${JSON.stringify(pattern)}, which is not a valid pattern: ${why}; write one in RE2's syntax, such as "ACME-[0-9]{6}"`;
      throw new ConfigError(message, { cause });
    });
  }
  return Redactor.create({ secrets: [], patterns });
}

function factsFor(
  id: string,
  { databasePath, token, secrets }: HostFacts,
  { configured, userFolder }: { readonly configured: Configured; readonly userFolder: string | undefined },
): Readonly<Record<string, unknown>> {
  switch (id) {
    case "rules":
    case "skills":
      return userFolder === undefined ? {} : { user_folder: userFolder };
    case "storage-sqlite":
      return { path: databasePath };
    case "session-orchestrator":
      return {
        secrets,
        redact: configured.config.records.redact,
        reserved_tools: reservedTools(configured.reserved()),
      };
    case "profiles":
      return userFolder === undefined ? {} : { folder: userFolder };
    case "telemetry-otlp":
      return { version };
    case "transport-http":
      return { token, version };
    default:
      return {};
  }
}
