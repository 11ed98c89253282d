import type { Noted } from "./disk-record.ts";

// Must run before the host is loaded: its named imports from "node:fs" then bind to these functions.
const fs = process.getBuiltinModule("node:fs");
const { fsyncSync, fdatasyncSync, fsync, fdatasync } = fs;

type Answer = (error: Error | null) => void;

Object.assign(fs, {
  fsyncSync: (file: number) => recordNow(file, fsyncSync),
  fdatasyncSync: (file: number) => recordNow(file, fdatasyncSync),
  fsync: (file: number, answer: Answer) => recordLate(file, fsync, answer),
  fdatasync: (file: number, answer: Answer) => recordLate(file, fdatasync, answer),
});

const { DiskRecord, look } = await import("./disk-record.ts");
const record = new DiskRecord(process.env["SYNC_RECORD"] ?? "");

const handle = await fs.promises.open(process.execPath);
for (const name of ["sync", "datasync"] as const) {
  const real: unknown = Reflect.get(handle, name);
  if (typeof real !== "function") throw new Error(`A file handle has no ${name}()`);
  Object.assign(Reflect.getPrototypeOf(handle) ?? {}, {
    async [name](this: { readonly fd: number }): Promise<void> {
      const noted = noteOf(this.fd);
      await Reflect.apply(real, this, []);
      await slowDisk();
      noted();
    },
  });
}
await handle.close();

/** Call the result after the sync: data written during the sync may not be on the disk. */
function noteOf(file: number): () => void {
  const found: Noted | undefined = look(`/proc/self/fd/${file}`);
  return () => {
    if (found !== undefined) record.note(found);
  };
}

function recordNow(file: number, sync: (file: number) => void): void {
  const noted = noteOf(file);
  sync(file);
  noted();
}

function recordLate(file: number, sync: (file: number, answer: Answer) => void, answer: Answer): void {
  const noted = noteOf(file);
  sync(file, (error) => {
    void slowDisk().then(() => {
      if (error === null) noted();
      answer(error);
    });
  });
}

/** Delays completion, so that code which does not await the sync runs ahead of it. */
async function slowDisk(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}
