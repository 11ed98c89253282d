import type { Attack } from "./attacks.ts";

export const folderAttacks = {
  "folder-other-drive": {
    tries:
      "on Windows, a link of a trusted folder leads to another drive, share or server, to a drive's current folder or to a device path",
    seen: "what lies there is not inside the folder, whose name counts without regard to case",
  },
  "folder-address-under-key": {
    tries: "a trusted folder's file puts its own address beside the name of its user's key",
    seen: "what belongs together is taken whole from one file: the key stays with its user's address",
  },
  "folder-allows-calls": {
    tries:
      "a trusted folder's incipit.toml, agent, skill and command allow every command of shell, which a model then calls",
    seen: "nobody is asked, and the command does not run; one line says where alone such a thing counts",
  },
  "folder-bunfig-preload": {
    tries: "a folder's bunfig.toml names a file that runs before the command does",
    seen: "the file does not run",
  },
  "folder-buried-wish": {
    tries: "a folder's incipit.toml hides a program among hundreds of harmless keys",
    seen: "what weighs most stands first, and beside the question stands how much there is to read",
  },
  "folder-changed-after-trust": {
    tries: "a folder's incipit.toml names another program after its owner was trusted",
    seen: "the program does not run, and one line says that the file has changed",
  },
  "folder-control-characters": {
    tries: "a folder's incipit.toml, and the folder's own name, hold what steers a terminal or turns text around",
    seen: "whoever is asked sees it escaped",
  },
  "folder-default-model": {
    tries: "a folder's incipit.toml takes another of its user's models, which costs money",
    seen: "the user's own model answers",
  },
  "folder-grant-outlives-trust": {
    tries:
      "a model calls what was allowed in a folder's conversations after its owner has stopped trusting it, or does so again",
    seen: "a person is asked: what was allowed has ended with the trust",
  },
  "folder-grant-chat": {
    tries:
      "somebody in a chat asks for a call of a tool that a person has allowed for good in the folder of that chat",
    seen: "whoever may answer is asked, as if nothing were allowed; in the person's own conversation the call runs",
  },
  "folder-grant-replaced": {
    tries:
      "another folder stands in the place of the one whose conversations were allowed calls, or a link leads to that one",
    seen: "a person is asked; in the very folder nobody is",
  },
  "grant-turned-link": {
    tries:
      "a link on the path of a call is turned after a grant for files of one folder was found to allow the call",
    seen: "the call fails with where the path leads by then; nothing is read or written there",
  },
  "folder-grant-swapped": {
    tries: "another folder takes the place of the one that a question names, before it is answered with always",
    seen: "nothing is allowed there, whoever answered is told why, and the question stays open",
  },
  "folder-device": {
    tries: "a folder's incipit.toml is a pipe that nobody writes to, or a folder",
    seen: "the command goes on, and one line says why the file was left out",
  },
  "folder-dotenv": {
    tries: "a folder's .env sets INCIPIT_MODEL",
    seen: "the command does not take it for a variable of its user",
  },
  "folder-dotenv-variants": {
    tries: "a folder's .env.local, .env.development and .env.production set INCIPIT_MODEL",
    seen: "the command does not take it for a variable of its user",
  },
  "folder-exchanged-file": {
    tries: "a folder's incipit.toml is exchanged between the look at it and its use",
    seen: "what was looked at is what is used",
  },
  "folder-extension-code": {
    tries: "a folder's incipit.toml names an extension inside the folder",
    seen: "its code is not loaded",
  },
  "folder-extension-imports": {
    tries: "a folder's tsconfig.json and node_modules hold what an extension of its user imports",
    seen: "the extension gets what lies beside it",
  },
  "folder-hides-records": {
    tries: "a folder's incipit.toml stops the recording, shortens what is kept or takes patterns of redaction away",
    seen: "none of it is taken",
  },
  "folder-huge-file": {
    tries: "a folder's incipit.toml is a gigabyte",
    seen: "no more than its bound is read, and it is left out",
  },
  "folder-key-to-address": {
    tries: "a folder's incipit.toml names an address, and the variable with its user's key for it",
    seen: "nothing is sent there",
  },
  "folder-link-out": {
    tries: "a folder's incipit.toml or AGENTS.md is a link to a file of its user outside the folder",
    seen: "it is neither read nor can it be trusted",
  },
  "folder-listen": {
    tries: "a folder's incipit.toml says where the host listens",
    seen: "the host listens where its user says",
  },
  "folder-malformed": {
    tries: "a folder's incipit.toml is no TOML",
    seen: "the command runs, and shows nothing of what is in it",
  },
  "folder-malformed-deep": {
    tries: "a folder's incipit.toml is nested so deep that a parser gives up",
    seen: "the command runs",
  },
  "folder-mcp-program": {
    tries: "a folder's incipit.toml names an MCP server",
    seen: "no program of it runs, and one line says what was left out",
  },
  "folder-node-modules": {
    tries: "a folder's node_modules hold packages of the names that the command uses",
    seen: "their code does not run",
  },
  "folder-npm-registry": {
    tries: "a folder's .npmrc names a registry, and its user asks for a newer version there",
    seen: "the registry that the user has named is asked",
  },
  "folder-other-place": {
    tries: "a folder holds the very files of another folder that is trusted, or stands where that one was",
    seen: "it is not trusted",
  },
  "folder-package-json": {
    tries: "a folder's package.json maps imports, and names scripts that run before others",
    seen: "their code does not run",
  },
  "folder-names-vendor": {
    tries: "a folder's incipit.toml, which its user trusts, names a model of a vendor that nobody has configured",
    seen: "no table of that vendor is made for it, and nothing is sent",
  },
  "folder-own-server": {
    tries: "a folder's bunfig.toml names a file that runs before an MCP server that its user has configured",
    seen: "the server does not run in the folder, and the file does not run",
  },
  "folder-path-program": {
    tries: "a folder holds a program named git, and PATH has relative and empty entries",
    seen: "it does not run",
  },
  "folder-prompt-read": {
    tries: "a folder's incipit.toml allows prompts to hold any file",
    seen: "files outside the folder stay out",
  },
  "folder-proto-keys": {
    tries: "a folder's incipit.toml has the keys __proto__ and constructor",
    seen: "nothing is configured by them",
  },
  "folder-relative-variable": {
    tries: "a variable that names a place is empty or relative, and the folder has something there",
    seen: "nothing is read from there",
  },
  "folder-settings-for-code": {
    tries:
      "a folder's package.json and tsconfig.json are broken, or extend a pipe, where its user has an extension loaded",
    seen: "the extension is loaded as anywhere else, and the command goes on",
  },
  "folder-stands-for-own": {
    tries: "an empty incipit.toml of a folder stands in the place of its user's own",
    seen: "the user's own holds",
  },
  "folder-system-prompt": {
    tries: "a folder's incipit.toml says what models are told",
    seen: "models are not told it",
  },
  "folder-telemetry": {
    tries: "a folder's incipit.toml names a collector, and a variable of its user for its headers",
    seen: "nothing is sent there",
  },
  "folder-trust-over-http": {
    tries: "whoever has the token asks the HTTP API to trust a folder",
    seen: "there is no such route",
  },
  "folder-trust-unseen": {
    tries: "a program without a terminal has a folder trusted, also after its content has changed",
    seen: "nothing is trusted but the content whose hash is named",
  },
  "folder-tsconfig": {
    tries: "a folder's tsconfig.json maps the names of packages to files of the folder",
    seen: "their code does not run",
  },
  "folder-unnamed-wish": {
    tries: "a folder's incipit.toml sets a key of which the question says nothing",
    seen: "each key that there is has its words",
  },
} as const satisfies Record<string, Attack>;
