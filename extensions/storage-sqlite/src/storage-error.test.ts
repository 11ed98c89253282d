import { expect, test } from "bun:test";
import { StorageError } from "./storage-error.ts";

test("StorageError.from maps SQLite's codes to advice", () => {
  const codes = ["SQLITE_FULL", "SQLITE_CORRUPT", "SQLITE_CORRUPT_VTAB", "SQLITE_NOTADB", "SQLITE_BUSY"];
  const told = codes.map((code) => StorageError.from(Object.assign(new Error("it broke"), { code }), "/data.db"));

  expect(told.map(({ code, retryable }) => [code, retryable])).toEqual([
    ["DISK_FULL", true],
    ["DAMAGED", false],
    ["DAMAGED", false],
    ["DAMAGED", false],
    ["STORAGE_FAILED", true],
  ]);
  expect(told.at(-1)?.message).toContain("it broke");
  expect(StorageError.from("a text", "/data.db")).toMatchObject({ code: "STORAGE_FAILED" });
});

test("StorageError.from explains a read-only file in plain words", () => {
  for (const code of ["SQLITE_READONLY", "SQLITE_READONLY_DBMOVED", "SQLITE_CANTOPEN", "EACCES", "EROFS"])
    expect(StorageError.from(Object.assign(new Error("it broke"), { code }), "/data.db")).toMatchObject({
      code: "STORAGE_FAILED",
      message: 'Cannot write "/data.db": no write permission for it or its folder',
    });
});
