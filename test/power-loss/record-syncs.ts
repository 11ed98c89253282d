import type { Noted } from "./disk-record.ts";

// Before the host is loaded, whose `import { fsyncSync } from "node:fs"` gets what is put in place here.
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

/** Call it once the sync has ended: what is written after it has begun need not be on the disk. */
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

/** Whoever does not wait for the disk is faster. */
async function slowDisk(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}
