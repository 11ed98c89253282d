import { expect, test } from "bun:test";
import fc from "fast-check";
import { protection } from "./protected-file.ts";

const folder = "/home/me/work";

const acting = `
  .git/config .git/hooks/post-checkout sub/.git/config .git .husky/pre-commit .gitmodules incipit.toml
  sub/incipit.toml .env .env.local packages/a/.env.production .envrc bunfig.toml .npmrc .yarnrc.yml
  .vscode/tasks.json .idea/workspace.xml .zed/tasks.json .vimrc .exrc .nvim.lua .bashrc .profile .zshenv
  .devcontainer/devcontainer.json a.code-workspace AGENTS.md sub/CLAUDE.md .cursorrules .mcp.json HEARTBEAT.md
  x/SKILL.md .config/fish/config.fish .ssh/authorized_keys .hg/hgrc .jj/repo/config.toml .bash_completion
  Library/LaunchAgents/a.plist .local/share/systemd/user/a.service .cargo/config.toml rust-toolchain.toml
  .mvn/extensions.xml .Rprofile .helix/languages.toml .vs/tasks.vs.json .vim/vimrc AGENTS.local.md
  .windsurf/rules/a.md opencode.json .aider.conf.yml
`
  .trim()
  .split(/\s+/);

const plain = `
  a.ts git/config .gitignore .github/workflows/ci.yml Cargo.toml src/library.ts Library/a.swift
  .local/share/a.txt Makefile package.json docs/agents/a.md environment.ts .environment env my.env.ts bashrc
  src/skills/jump.ts systemd/unit.c x.git/a
`
  .trim()
  .split(/\s+/);

test("[attack:process-tool-writes-acting-file] protection covers files that take effect without being invoked", () => {
  for (const path of acting)
    expect([path, protection(`${folder}/${path}`, folder)]).toEqual([path, expect.any(String)]);
  for (const path of plain) expect([path, protection(`${folder}/${path}`, folder)]).toEqual([path, undefined]);
});

test("[attack:process-tool-spells-acting-file] protection recognizes names in any spelling that a file system accepts", () => {
  const spelt = [
    ".GIT/config",
    ".Git/Config",
    ".git./config",
    ".git /config",
    ".git. . /config",
    ".git::$INDEX_ALLOCATION/config",
    "GIT~1/config",
    "git~2/config",
    ".g\u200cit/config",
    ".gi\u00adt/config",
    "\uff0egit/config",
    ".\uff27it/config",
    "INCIPIT.TOML",
    "incipit.toml.",
    "incipit.toml:x",
    ".ENV",
    ".Env.Local",
    ".ba\u017fhrc",
    "agents.MD ",
  ];

  for (const path of spelt)
    expect([path, protection(`${folder}/${path}`, folder)]).toEqual([path, expect.any(String)]);
  expect(protection(`${folder}/.gitx/config`, folder)).toBe(undefined);
});

test("protection judges paths in the working folder relative to it, and others as a whole", () => {
  expect(protection("/home/me/.claude/worktrees/a/src/b.ts", "/home/me/.claude/worktrees/a")).toBe(undefined);
  expect(protection("/home/me/.claude/settings.json", "/home/me/work")).toEqual(expect.any(String));
  expect(protection("/home/me/.claude/settings.json", "/home/me/.claude/work")).toEqual(expect.any(String));
  expect(protection("/home/me/.claude", "/home/me/.claude/work")).toEqual(expect.any(String));
  expect(protection("/home/me/work/.git/config", "/home/me/work/.git")).toEqual(expect.any(String));
});

test("protection ignores the case of a name", () => {
  const cases = fc
    .constantFrom(...acting)
    .chain((path) =>
      fc
        .array(fc.boolean(), { minLength: path.length, maxLength: path.length })
        .map((upper) =>
          Array.from(path, (letter, index) => (upper[index] === true ? letter.toUpperCase() : letter)).join(""),
        ),
    );
  fc.assert(fc.property(cases, (path) => protection(`${folder}/${path}`, folder) !== undefined));
});
