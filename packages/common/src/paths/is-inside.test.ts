import { expect, test } from "bun:test";
import { posix, win32 } from "node:path";
import { isInside } from "./is-inside.ts";

test.each([
  ["/proj/a", "/proj", true],
  ["/proj/..a/b", "/proj", true],
  ["/a", "/", true],
  ["/proj", "/proj", false],
  ["/project", "/proj", false],
  ["/proj/../a", "/proj", false],
  ["/", "/proj", false],
  ["proj/a", "/proj", false],
  ["a/b", "a", false],
])("isInside compares %p with %p by POSIX rules", (path, folder, expected) => {
  expect(isInside(path, folder, posix)).toBe(expected);
});

test.each([
  ["C:\\proj\\a", "C:\\proj", true],
  ["c:\\PROJ\\a", "C:\\proj", true],
  ["C:/proj/a", "C:\\proj", true],
  ["C:\\proj\\..a", "C:\\proj", true],
  ["C:\\a", "C:\\", true],
  ["\\\\srv\\share\\proj\\a", "\\\\srv\\share\\proj", true],
  ["\\\\SRV\\Share\\proj\\a", "\\\\srv\\share\\proj", true],
  ["\\\\srv\\share\\a", "\\\\srv\\share\\", true],
  ["C:\\proj", "C:\\proj", false],
  ["C:\\project", "C:\\proj", false],
  ["C:\\proj\\..\\a", "C:\\proj", false],
  // Another drive, share or server.
  ["D:\\x", "C:\\proj", false],
  ["D:\\proj\\a", "C:\\proj", false],
  ["D:\\", "C:\\", false],
  ["\\\\srv\\other\\proj\\a", "\\\\srv\\share\\proj", false],
  ["\\\\other\\share\\proj\\a", "\\\\srv\\share\\proj", false],
  ["\\\\srv\\share\\a", "C:\\", false],
  ["C:\\a", "\\\\srv\\share\\", false],
  ["\\\\?\\C:\\proj\\a", "C:\\proj", false],
  // Paths that depend on the current drive or its folder.
  ["C:proj\\a", "C:\\proj", false],
  ["C:a", "C:\\", false],
  ["\\proj\\a", "C:\\proj", false],
  ["\\proj\\a", "\\proj", false],
  ["C:\\proj\\a", "C:proj", false],
  ["proj\\a", "C:\\", false],
])("[attack:folder-other-drive] isInside compares %p with %p by Windows rules", (path, folder, expected) => {
  expect(isInside(path, folder, win32)).toBe(expected);
});
