import { expect, test } from "bun:test";
import { writeFailure } from "./write-failure.ts";

const words = {
  ENOSPC: "the disk is full; make room, or take another one",
  EDQUOT: "the disk is full; make room, or take another one",
  SQLITE_FULL: "the disk is full; make room, or take another one",
  EACCES: "you may not write there; take another one",
  SQLITE_READONLY_DIRECTORY: "you may not write there; take another one",
  SQLITE_CANTOPEN_FULLPATH: "you may not write there; take another one",
  EROFS: "it is mounted read-only; take another one",
  ENOENT: "its folder does not exist; take another one",
  ENOTDIR: "a part of its path is a file, not a folder; take another one",
  EIO: "it broke; take another one",
};

test("writeFailure describes each error code with a remedy", () => {
  const said = Object.keys(words).map((code) => [
    code,
    writeFailure(Object.assign(new Error("it broke"), { code }), "take another one"),
  ]);

  expect(Object.fromEntries(said)).toEqual(words);
});
