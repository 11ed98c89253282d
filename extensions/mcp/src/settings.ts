import type { WrittenServer } from "./configuration.ts";
import type { SignInSettings } from "./authorization-server.ts";

export type Approval = "allow" | "ask" | "deny";

interface CommonSettings {
  /** For all of its tools; absent: a tool that says it only reads is allowed, the others are asked about. */
  readonly approve?: Approval;
  /** By the server's own names of them. */
  readonly tools: Readonly<Record<string, { readonly approve: Approval }>>;
  /** The only ones that models are told of, by the server's own names; absent: all that are not denied. */
  readonly enabledTools?: readonly string[];
  /** Whether its tools are looked up when they are needed; absent: as there is room. */
  readonly defer?: boolean;
  readonly startTimeoutMs: number;
  /** Whether models are told what it says of itself. */
  readonly hasInstructions: boolean;
}

export type ServerSettings = CommonSettings &
  (
    | {
        readonly kind: "stdio";
        readonly command: string;
        /** What begins with `$cwd` names the working folder that it is for. */
        readonly args: readonly string[];
        /** Where it runs; absolute, or with `$cwd` as above. */
        readonly cwd: string;
        /** Whether each working folder has a program of its own. */
        readonly isPerFolder: boolean;
        /** Whether it is told that folder when it asks. */
        readonly hasRoots: boolean;
        /** Names of variables that the server gets beside the few that every child gets. */
        readonly env: readonly string[];
      }
    | {
        readonly kind: "http";
        readonly url: string;
        /** Name of the variable that holds a bearer token. */
        readonly tokenEnv?: string;
        /** For each header the name of the variable that holds its value. */
        readonly headersEnv: Readonly<Record<string, string>>;
        /** Somebody signs in to it; absent: nobody does. */
        readonly signIn?: SignInSettings;
        /** What to do when it lets nobody in, as the end of a sentence. */
        readonly remedy: string;
      }
  );

const tokenRemedy = "see that token_env names the variable with its token, or write oauth = true to sign in";

/** What a server is started or called with. */
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
    // Absent: where nobody but the machine's owner has put anything, as a runner such as npx looks for code where it runs.
    cwd,
    isPerFolder: hasRoots || [cwd, ...args].some(namesFolder),
    hasRoots,
    env,
    ...common,
  };
}

/** What tells a server from another one of its name. Not in it: keys, which change. */
export function identityOf(settings: ServerSettings): string {
  const what =
    settings.kind === "stdio" ? [settings.cwd, settings.command, ...settings.args] : [withoutQuery(settings.url)];
  const text = JSON.stringify([settings.kind, ...what]);
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`;
}

/** The settings of the program that is for one working folder. @param folder Absolute. */
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
