import { command } from "../registry/command.ts";

export const hostCommands = [
  command("config [WORD…]", {
    summary: "show configured keys and their origin; with WORD, defaults, too",
    example: "incipit config listen",
    run: async (call) => (await import("../host/configuration.ts")).configuration(call),
  }),
  command("extensions [list]", {
    summary: "list extensions",
    run: async (call) => (await import("../extensions/extensions.ts")).listExtensions(call),
  }),
  command("extensions show EXTENSION", {
    summary: "show permissions and state",
    example: "incipit extensions show session-orchestrator",
    run: async (call) => (await import("../extensions/extensions.ts")).showExtension(call),
  }),
  command("extensions graph", {
    summary: "draw the dependencies",
    run: async (call) => (await import("../extensions/extensions.ts")).showGraph(call),
  }),
  command("extensions add PATH", {
    summary: "add an extension, after confirmation of its requested permissions",
    options: ["isGranted"],
    example: "incipit extensions add ./weather",
    run: async (call) => (await import("../extensions/add-extension.ts")).add(call),
  }),
  command("extensions swap EXTENSION [PATH]", {
    summary: "replace a running extension with another version",
    options: ["isGranted"],
    example: "incipit extensions swap my.weather",
    run: async (call) => (await import("../extensions/extensions.ts")).swapExtension(call),
  }),
  command("extensions load EXTENSION", {
    summary: "start an extension",
    example: "incipit extensions load my.weather",
    run: async (call) => (await import("../extensions/extensions.ts")).loadExtension(call),
  }),
  command("extensions unload EXTENSION", {
    summary: "stop an extension",
    example: "incipit extensions unload my.weather",
    run: async (call) => (await import("../extensions/extensions.ts")).unloadExtension(call),
  }),
  command("extensions remove EXTENSION", {
    summary: "remove an extension and its grant",
    options: ["isGranted"],
    example: "incipit extensions remove my.weather",
    run: async (call) => (await import("../extensions/extensions.ts")).removeExtension(call),
  }),
  command("extensions new DIR", {
    summary: "create an extension; by default with a template variable",
    options: ["tool", "provider", "channel", "storage", "variable"],
    example: "incipit extensions new ./weather --tool",
    run: async (call) => (await import("../extensions/new-extension.ts")).newExtension(call),
  }),
  command("extensions types [DIR]", {
    summary: "write the type declarations for its code",
    run: async (call) => (await import("../extensions/author-types.ts")).extensionTypes(call),
  }),
  command("extensions dev DIR", {
    summary: "load an extension and swap it on each save",
    options: ["isGranted"],
    example: "incipit extensions dev ./weather",
    run: async (call) => (await import("../extensions/dev.ts")).dev(call),
  }),
  command("page", {
    summary: "print a sign-in link to the web UI",
    run: async (call) => (await import("../host/page.ts")).page(call),
  }),
  command("token", {
    summary: "print the host's own token, with full access to the HTTP API",
    run: async (call) => (await import("../tokens/tokens.ts")).ownToken(call),
  }),
  command("token new", {
    summary: "create a token with limited scopes and lifetime",
    options: ["scopes", "days", "name"],
    example: "incipit token new --scope read,converse --days 7",
    run: async (call) => (await import("../tokens/tokens.ts")).newToken(call),
  }),
  command("token list", {
    summary: "list created tokens",
    run: async (call) => (await import("../tokens/tokens.ts")).listTokens(call),
  }),
  command("token revoke TOKEN", {
    summary: "revoke a token, by its id or name",
    example: "incipit token revoke laptop",
    run: async (call) => (await import("../tokens/tokens.ts")).revokeToken(call),
  }),
  command("trust [show] [DIR]", {
    summary: "list trusted folders, and what this one requests",
    run: async (call) => (await import("../trust/trust.ts")).showTrust(call),
  }),
  command("trust add [DIR]", {
    summary: "trust the current contents of a folder, after confirmation",
    options: ["trustedFiles", "sha256"],
    run: async (call) => (await import("../trust/trust.ts")).addTrust(call),
  }),
  command("trust remove [DIR]", {
    summary: "revoke the trust and the permanent approvals of a folder",
    run: async (call) => (await import("../trust/trust.ts")).removeTrust(call),
  }),
  command("trust take-back [ALLOWED]", {
    summary: "revoke a permanent approval of a folder",
    example: "incipit trust take-back 01a21cec",
    run: async (call) => (await import("../trust/trust.ts")).takeBackAllowed(call),
  }),
  command("completions bash|zsh|fish|powershell", {
    summary: "print the completion script of a shell",
    example: "incipit completions bash",
    run: async (call) => (await import("../shell/completion-script.ts")).printCompletions(call),
  }),
  command("man", {
    summary: "print the manual page",
    run: async (call) => (await import("../shell/man-page.ts")).printManPage(call),
  }),
  command("update", {
    summary: "check for a newer version; changes nothing",
    run: async (call) => (await import("../installation/update.ts")).update(call),
  }),
  command("uninstall", {
    summary: "show the installed files, their sizes, and how to remove them; removes nothing",
    run: async (call) => (await import("../installation/uninstall.ts")).uninstall(call),
  }),
];
