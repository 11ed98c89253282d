import { expect, test } from "bun:test";
import { installedWay } from "./installation.ts";

const program = "@incipit/cli-linux-x64/bin/incipit";

const rows = [
  {
    path: `/usr/lib/node_modules/incipit/node_modules/${program}`,
    update: "npm install -g incipit@latest",
    remove: "npm uninstall -g incipit",
    place: "/usr/lib/node_modules/incipit",
  },
  {
    path: `/home/ada/.npm/_npx/0123abcd/node_modules/${program}`,
    update: "npx incipit@latest",
    remove: "rm -r /home/ada/.npm/_npx/0123abcd",
    place: "/home/ada/.npm/_npx/0123abcd",
  },
  {
    path: `/tmp/bunx-1000-incipit@latest/node_modules/${program}`,
    update: "bunx incipit@latest",
    remove: "rm -r /tmp/bunx-1000-incipit@latest",
    place: "/tmp/bunx-1000-incipit@latest",
  },
  {
    path: `/home/ada/.bun/install/global/node_modules/${program}`,
    update: "bun add -g incipit@latest",
    remove: "bun remove -g incipit",
    place: "/home/ada/.bun/install/global/node_modules/@incipit",
  },
  {
    path: `/home/ada/.local/share/pnpm/global/5/.pnpm/@incipit+cli-linux-x64@1.0.0/node_modules/${program}`,
    update: "pnpm add -g incipit@latest",
    remove: "pnpm remove -g incipit",
    place: "/home/ada/.local/share/pnpm/global/5/.pnpm/@incipit+cli-linux-x64@1.0.0/node_modules/@incipit",
  },
  {
    path: `/Users/ada/Library/pnpm/store/v11/links/@incipit/cli-darwin-arm64/1.0.0/54ab/node_modules/${program}`,
    update: "pnpm add -g incipit@latest",
    remove: "pnpm remove -g incipit",
    place: "/Users/ada/Library/pnpm/store/v11/links/@incipit/cli-darwin-arm64/1.0.0/54ab/node_modules/@incipit",
  },
  {
    path: `/home/ada/work/node_modules/.pnpm/@incipit+cli-linux-x64@1.0.0/node_modules/${program}`,
    update: "pnpm --dir /home/ada/work add incipit@latest",
    remove: "pnpm --dir /home/ada/work remove incipit",
    place: "/home/ada/work/node_modules/.pnpm/@incipit+cli-linux-x64@1.0.0/node_modules/@incipit",
  },
  {
    path: `/home/ada/.config/yarn/global/node_modules/${program}`,
    update: "yarn global add incipit@latest",
    remove: "yarn global remove incipit",
    place: "/home/ada/.config/yarn/global/node_modules/@incipit",
  },
  {
    path: `/home/ada/my work/node_modules/${program}`,
    update: "npm install --prefix '/home/ada/my work' incipit@latest",
    remove: "npm uninstall --prefix '/home/ada/my work' incipit @incipit/cli-linux-x64",
    place: "/home/ada/my work/node_modules/@incipit",
  },
  {
    path: `/usr/local/lib/node_modules/${program}`,
    update: "npm install -g incipit@latest",
    remove: "npm uninstall -g incipit @incipit/cli-linux-x64",
    place: "/usr/local/lib/node_modules/@incipit",
  },
  {
    path: String.raw`C:\Users\Ada\AppData\Roaming\npm\node_modules\@incipit\cli-win32-x64\bin\incipit.exe`,
    update: "npm install -g incipit@latest",
    remove: "npm uninstall -g incipit @incipit/cli-win32-x64",
    place: "C:/Users/Ada/AppData/Roaming/npm/node_modules/@incipit",
  },
  {
    path: "/usr/lib/node_modules/incipit/bin/incipit",
    update: "npm install -g incipit@latest",
    remove: "npm uninstall -g incipit",
    place: "/usr/lib/node_modules/incipit",
  },
  {
    path: "/home/ada/work/node_modules/incipit/bin/incipit",
    update: "npm install --prefix /home/ada/work incipit@latest",
    remove: "npm uninstall --prefix /home/ada/work incipit",
    place: "/home/ada/work/node_modules/incipit",
  },
  {
    path: String.raw`C:\Users\Ada\AppData\Roaming\npm\node_modules\incipit\node_modules\@incipit\cli-win32-x64\bin\incipit.exe`,
    update: "npm install -g incipit@latest",
    remove: "npm uninstall -g incipit",
    place: "C:/Users/Ada/AppData/Roaming/npm/node_modules/incipit",
  },
  {
    path: "/home/ada/it's mine/incipit",
    update: "npm install -g incipit@latest",
    remove: String.raw`rm '/home/ada/it'\''s mine/incipit'`,
    place: "/home/ada/it's mine/incipit",
  },
];

for (const { path, update, remove, place } of rows)
  test(`installedWay() returns how to update and uninstall ${path}`, () => {
    expect(installedWay({ isBuilt: true, path })).toMatchObject({ update, remove, path: place });
  });

test("installedWay() of a checkout returns its folder and warns of local changes", () => {
  expect(installedWay({ isBuilt: false, path: "/home/ada/incipit" })).toEqual({
    words: "a clone of the repository, with whatever you changed in it",
    path: "/home/ada/incipit",
    update: "git -C /home/ada/incipit pull && bun install --cwd /home/ada/incipit",
    remove: "rm -r /home/ada/incipit",
  });
});
