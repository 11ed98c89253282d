import { expect, test } from "bun:test";
import { syncFolderBeside, syncOpenFolder } from "./sync-folder.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("syncOpenFolder and syncFolderBeside ignore only the error codes of unsupported folder sync", async () => {
  const outcomeOf = async (code: string): Promise<readonly unknown[]> => {
    const fail = (): never => {
      throw systemError(code);
    };
    let outcome: unknown = "accepted";
    try {
      syncOpenFolder(0, fail);
    } catch (error) {
      outcome = error;
    }
    const beside = syncFolderBeside({ sync: async () => fail() });
    const outcomeBeside = await beside.then(
      () => "accepted",
      (error: unknown) => error,
    );
    return [outcome, outcomeBeside];
  };

  for (const code of ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"])
    expect(await outcomeOf(code)).toEqual(["accepted", "accepted"]);
  for (const code of ["EIO", "ENOSPC", "EBADF"]) expect(await outcomeOf(code)).toMatchObject([{ code }, { code }]);
});
