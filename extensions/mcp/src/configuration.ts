import {
  defineConfiguration,
  headersKey,
  proxyKey,
  urlKey,
  variableKey,
  type ConfigurationProblem,
  type NeededEndpoint,
  type NeededProgram,
  type NeededVariable,
  type RequestedPermissionOptions,
} from "@incipit/kernel";
import * as z from "zod";

const startRule = "must be a whole number of seconds from 1 to 600";
const folderRule = 'must be an absolute path, "$cwd" or a path below "$cwd/"';
const commandRule = "must be a program, looked for in PATH, or an absolute path";
const urlRule = 'must be an http or https URL without a name and a password, such as "https://mcp.acme.dev/mcp"';
const signInRule = 'must be an http or https URL, such as "https://auth.acme.dev"';

function approvalKey() {
  return z.enum(["allow", "ask", "deny"]);
}

/** Keeps `SERVER__TOOL` unambiguous, with room for the tool. */
function serverName() {
  return z
    .string()
    .regex(
      /^(?!.*__)[A-Za-z0-9_-]{0,31}[A-Za-z0-9-]$/,
      'must be at most 32 letters, digits, _ and -, without "__" and not with "_" at its end',
    );
}

function serverKeys() {
  return z.strictObject({
    command: z
      .string()
      .regex(/^(\/.+|[^/]+)$/, commandRule)
      .exactOptional(),
    args: z.array(z.string()).exactOptional(),
    /** Absent: a neutral folder, since a program in an untrusted folder might execute its content. */
    cwd: z
      .string()
      .regex(/^(\/|\$cwd(\/|$))/, folderRule)
      .exactOptional(),
    /** Folders in the server's arguments may then be ignored. */
    roots: z.boolean().exactOptional(),
    /** Names only, since the file holds no secrets. */
    env: z.array(variableKey()).exactOptional(),
    url: urlKey(urlRule).exactOptional(),
    token_env: variableKey().exactOptional(),
    headers_env: headersKey().exactOptional(),
    oauth: z.boolean().exactOptional(),
    /** Authorization server; defaults to the server's own address. */
    oauth_server: urlKey(signInRule).exactOptional(),
    oauth_client_id: z.string().min(1).exactOptional(),
    oauth_client_secret_env: variableKey().exactOptional(),
    oauth_scope: z.string().min(1).exactOptional(),
    proxy: proxyKey().exactOptional(),
    /** Absent: read-only tools are allowed, others require approval. */
    approve: approvalKey().exactOptional(),
    instructions: z.boolean().exactOptional(),
    /** `true`: tool search finds its tools; `false`: every request declares them. Absent: depending on their size. */
    defer: z.boolean().exactOptional(),
    start_timeout_seconds: z.int(startRule).min(1, startRule).max(600, startRule).default(30),
    enabled_tools: z.array(z.string().min(1)).exactOptional(),
    tools: z.record(z.string(), z.strictObject({ approve: approvalKey() })).default({}),
  });
}

/** By the prefix of their tools. */
export const configuration = defineConfiguration({
  tables: () => ({ mcp: { servers: z.record(serverName(), serverKeys()).default({}) } }),
  whole: ["mcp.servers.*"],
  needs({ mcp: { servers } }) {
    const all = Object.entries(servers);
    return {
      programs: all.flatMap(([, { command, env = [] }]): readonly NeededProgram[] =>
        command === undefined
          ? []
          : [{ name: command, variables: env.map((name) => ({ name, holds: "anything" })) }],
      ),
      endpoints: all.flatMap(([name, server]): readonly NeededEndpoint[] => {
        const { url, oauth, oauth_server: signInUrl, proxy } = server;
        if (url === undefined) return [];
        const urls = oauth === true && signInUrl !== undefined ? [url, signInUrl] : [url];
        const variables = sentVariables(server).map((variable): NeededVariable => ({
          name: variable,
          holds: "secret",
        }));
        return urls.map((each) => ({
          path: ["mcp", "servers", name],
          url: each,
          isOperators: true,
          proxy,
          variables,
        }));
      }),
    };
  },
  problems: ({ mcp: { servers } }) => Object.entries(servers).flatMap(serverProblems),
  reserves: ({ mcp: { servers } }) =>
    Object.keys(servers).map((name) => ({ point: "tools@1", prefix: `${name}__`, whose: "a configured server" })),
  wishes: ({ mcp: { servers } }, options) =>
    Object.entries(servers).map(([name, server]) => ({
      path: ["mcp", "servers", name],
      sentence: serverWish(name, server, options),
      tells: [
        "command",
        "args",
        "cwd",
        "env",
        "url",
        "token_env",
        "headers_env",
        "oauth",
        "oauth_server",
        "oauth_client_id",
        "oauth_client_secret_env",
        "oauth_scope",
      ],
    })),
});

export type WrittenServer = z.output<ReturnType<typeof serverKeys>>;

function sentVariables({
  token_env: token,
  headers_env: headers = {},
  oauth_client_secret_env: secret,
}: WrittenServer): readonly string[] {
  return [...[token, secret].filter((name) => name !== undefined), ...Object.values(headers)];
}

function serverProblems([name, server]: [string, WrittenServer]): readonly ConfigurationProblem[] {
  const { command, url, args, cwd, roots, env, token_env: token, headers_env: headers, proxy } = server;
  const path = ["mcp", "servers", name];
  const problems: ConfigurationProblem[] = [];
  const loose =
    command === undefined || cwd !== undefined ? undefined : args?.find((word) => /^\.\.?(\/|$)/.test(word));
  if (loose !== undefined) {
    const message = `has ${JSON.stringify(loose)}, and the program does not run in the working folder; write "$cwd", or run it there (cwd = "$cwd")`;
    problems.push({ path: [...path, "args"], message });
  }
  if ((command === undefined) === (url === undefined)) {
    const which = command === undefined ? "neither of them" : "both";
    problems.push({ path, message: `needs "command" (a program) or "url" (streamable HTTP), and has ${which}` });
  }
  const signIn = {
    oauth_server: server.oauth_server,
    oauth_client_id: server.oauth_client_id,
    oauth_client_secret_env: server.oauth_client_secret_env,
    oauth_scope: server.oauth_scope,
  };
  const idle =
    command === undefined
      ? { args, cwd, roots, env }
      : { token_env: token, headers_env: headers, proxy, oauth: server.oauth, ...signIn };
  for (const [key, value] of Object.entries(idle))
    if (value !== undefined)
      problems.push({
        path: [...path, key],
        message: `does nothing for a server with "${command === undefined ? "url" : "command"}"; take it out`,
      });
  if (url !== undefined && server.oauth === true && token !== undefined)
    problems.push({
      path: [...path, "token_env"],
      message: 'excludes "oauth", whose token comes from the sign-in; remove one of them',
    });
  if (url !== undefined && server.oauth !== true)
    for (const [key, value] of Object.entries(signIn))
      if (value !== undefined)
        problems.push({ path: [...path, key], message: 'does nothing without "oauth = true"; write that, too' });
  if (server.oauth_client_secret_env !== undefined && server.oauth_client_id === undefined)
    problems.push({
      path: [...path, "oauth_client_secret_env"],
      message: 'is the secret of a client: write "oauth_client_id", too',
    });
  return problems;
}

function serverWish(name: string, server: WrittenServer, { quote, sending }: RequestedPermissionOptions): string {
  const { command, args = [], cwd, env = [], url = "" } = server;
  const allowed = Object.entries(server.tools).flatMap(([tool, { approve }]) =>
    approve === "allow" ? [quote(tool)] : [],
  );
  const free = server.approve === "allow" ? ["all of them"] : allowed;
  const unasked = free.length === 0 ? "" : `; without a question run ${free.join(", ")}`;
  const tools = `gives models the tools ${quote(`${name}__…`)}`;
  if (command === undefined) {
    const at = server.oauth_server === undefined ? "" : ` at ${quote(server.oauth_server)}`;
    const signed = server.oauth === true ? `, as the user who signs in${at}` : "";
    return `${tools} of ${quote(url)}${sending(sentVariables(server))}${signed}${unasked}`;
  }
  const program = [command, ...args].map((word) => quote(word)).join(" ");
  const where = cwd === undefined ? "" : ` in ${quote(cwd)}`;
  return `starts the program ${program}${where}${sending(env)}, and ${tools}${unasked}`;
}
