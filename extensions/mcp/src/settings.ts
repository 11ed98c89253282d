import { sha256Hex } from "@incipit/common";
import type { WrittenServer } from "./configuration.ts";
import type { SignInSettings } from "./authorization-server.ts";

export type Approval = "allow" | "ask" | "deny";

interface CommonSettings {
  readonly approve?: Approval;
  readonly tools: Readonly<Record<string, { readonly approve: Approval }>>;
  readonly enabledTools?: readonly string[];
  readonly defer?: boolean;
  readonly startTimeoutMs: number;
  readonly hasInstructions: boolean;
}

export type ServerSettings = CommonSettings &
  (
    | {
        readonly kind: "stdio";
        readonly command: string;
        /** A leading `$cwd` is replaced with the working folder. */
        readonly args: readonly string[];
        readonly cwd: string;
        readonly isPerFolder: boolean;
        readonly hasRoots: boolean;
        readonly env: readonly string[];
      }
    | {
        readonly kind: "http";
        readonly url: string;
        readonly tokenEnv?: string;
        readonly headersEnv: Readonly<Record<string, string>>;
        readonly signIn?: SignInSettings;
        /** The end of a sentence, for denied access. */
        readonly remedy: string;
      }
  );

const tokenRemedy = "see that token_env names the variable with its token, or write oauth = true to sign in";

export function toServerSettings(name: string, server: WrittenServer): ServerSettings {
  const {
    command,
    args = [],
    cwd = "/",
    env = [],
    url = "",
    token_env: tokenEnv,
    headers_env: headersEnv = {},
  } = server;
  const { approve, tools, enabled_tools: enabledTools, defer } = server;
  const common = {
    tools,
    ...(enabledTools === undefined ? {} : { enabledTools }),
    ...(defer === undefined ? {} : { defer }),
    startTimeoutMs: server.start_timeout_seconds * 1_000,
    hasInstructions: server.instructions !== false,
    ...(approve === undefined ? {} : { approve }),
  };
  if (command === undefined)
    return {
      kind: "http",
      url,
      headersEnv,
      ...(server.oauth === true
        ? { signIn: toSignIn(server), remedy: `sign in with "incipit mcp login ${name}"` }
        : { remedy: tokenRemedy }),
      ...(tokenEnv === undefined ? {} : { tokenEnv }),
      ...common,
    };
  const { roots: hasRoots = false } = server;
  return {
    kind: "stdio",
    command,
    args,
    // Absent: a folder that only the machine's owner writes to, since runners such as npx look for code in it.
    cwd,
    isPerFolder: hasRoots || [cwd, ...args].some(namesFolder),
    hasRoots,
    env,
    ...common,
  };
}

/** Besides the name, without keys, which change. */
export function identityOf(settings: ServerSettings): string {
  const what =
    settings.kind === "stdio" ? [settings.cwd, settings.command, ...settings.args] : [withoutQuery(settings.url)];
  const text = JSON.stringify([settings.kind, ...what]);
  return sha256Hex(text);
}

function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`;
}

export function settingsIn(settings: ServerSettings, folder: string): ServerSettings {
  if (settings.kind === "http") return settings;
  const { args, cwd } = settings;
  return { ...settings, args: args.map((word) => inFolder(word, folder)), cwd: inFolder(cwd, folder) };
}

function toSignIn({
  oauth_server: serverUrl,
  oauth_client_id: clientId,
  oauth_client_secret_env: clientSecretEnv,
  oauth_scope: scope,
}: WrittenServer): SignInSettings {
  return {
    ...(serverUrl === undefined ? {} : { serverUrl }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecretEnv === undefined ? {} : { clientSecretEnv }),
    ...(scope === undefined ? {} : { scope }),
  };
}

function namesFolder(text: string): boolean {
  return text === "$cwd" || text.startsWith("$cwd/");
}

function inFolder(text: string, folder: string): string {
  return namesFolder(text) ? folder + text.slice("$cwd".length) : text;
}
