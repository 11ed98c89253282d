import { relativeWithin } from "@incipit/common";
import { sep } from "node:path";

interface Protection {
  readonly says: string;
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly pattern?: RegExp;
  readonly path?: RegExp;
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Applied to all parts of a path: working folders are not usually below these. */
const everywhere: readonly Protection[] = [
  {
    says: "version control runs what its files name",
    folders: names(".git .husky .githooks .hg .jj .sl"),
    files: names(".gitconfig .gitmodules .gitattributes"),
    pattern: /^git~\d+$/, // The short name of ".git" on old file systems.
  },
  {
    says: "shells and logins run it when they start",
    folders: names(".ssh"),
    files: names(`
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .inputrc .zshrc
      .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc
      .login .xinitrc .xprofile .xsession .xsessionrc .envrc .pam_environment .tmux.conf .screenrc
    `),
    path: /(?:^|\/)(?:\.config\/(?:autostart|environment\.d|fish|git|helix|mise|nvim|plasma-workspace|systemd|tmux|zsh)|\.local\/share\/systemd|library\/launchagents)\//,
  },
];

const inWorkingFolder: readonly Protection[] = [
  {
    says: "it configures this host",
    folders: names(".incipit"),
    files: names("incipit.toml"),
  },
  {
    says: "programs take their variables and keys from it",
    folders: new Set(),
    files: names(".env"),
    pattern: /^\.env[.\-_]/,
  },
  {
    says: "it names code that runs before programs do, or where they come from",
    folders: names(".yarn .cargo .mvn"),
    files: names(`
      rust-toolchain rust-toolchain.toml .rprofile .renviron .octaverc .irbrc .pryrc .pdbrc .rspec .bazelrc
      bunfig.toml .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs mise.toml .mise.toml
      .pre-commit-config.yaml lefthook.yml .lefthook.yml sitecustomize.py
    `),
  },
  {
    says: "editors run what it says when the folder is opened",
    folders: names(".vscode .vs .idea .zed .fleet .theia .nova .helix .devcontainer .vim .nvim"),
    files: names(`
      .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .ideavimrc .emacs
      .dir-locals.el .devcontainer.json .gdbinit .lldbinit
    `),
    pattern: /\.(?:code-workspace|sublime-project)$/,
  },
  {
    says: "models and agents are told what it says, or start what it names",
    folders: names(`
      .claude .codex .cursor .gemini .agents .clinerules .windsurf .continue .roo .kiro .junie .amazonq .opencode .aider
    `),
    files: names(`
      agents.md agents agent.md agents.local.md claude.md claude.local.md gemini.md heartbeat.md skill.md
      .cursorrules .windsurfrules .clinerules .goosehints .aider.conf.yml opencode.json opencode.jsonc crush.md warp.md .mcp.json copilot-instructions.md
    `),
  },
];

/**
 * Protected files take effect without being invoked: when a folder is entered, opened or worked in. Files that a
 * person or tool has to run (a Makefile, package.json scripts, tests) are ordinary work.
 * @param place Links followed.
 */
export function protection(place: string, folder: string): string | undefined {
  const found = find(everywhere, place) ?? find(inWorkingFolder, relativeWithin(folder, place) ?? place);
  return found?.says;
}

function find(protections: readonly Protection[], path: string): Protection | undefined {
  const parts = path.split(sep).map(plainName);
  const last = parts.at(-1) ?? "";
  return protections.find(
    ({ folders, files, pattern, path: whole }) =>
      parts.some((part) => folders.has(part) || pattern?.test(part) === true) ||
      files.has(last) ||
      whole?.test(parts.join("/")) === true,
  );
}

/** Like the most lenient file system: ignores case, invisible characters, streams and trailing dots. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
