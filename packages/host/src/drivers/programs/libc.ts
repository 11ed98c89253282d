import { dlopen, ptr, read, type Pointer } from "bun:ffi";

const signatures = {
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  syscall: { args: ["i64", "u64", "u64", "u64", "u64"], returns: "i64" },
  open: { args: ["ptr", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  signal: { args: ["i32", "u64"], returns: "u64" },
  sigprocmask: { args: ["i32", "ptr", "u64"], returns: "i32" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
  waitpid: { args: ["i32", "u64", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "u64" },
} as const;

/** glibc, then musl. */
const names = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`] as const;

type Libc = ReturnType<typeof dlopen<typeof signatures>>["symbols"];

/** Loads functions of the C library that Bun does not expose; `undefined` outside Linux. */
export function openLibc(): Libc | undefined {
  if (process.platform !== "linux") return undefined;
  for (const name of names) {
    try {
      return dlopen(name, signatures).symbols;
    } catch {}
  }
  return undefined;
}

export type { Libc };

export function lastError(libc: Libc): number {
  return read.i32(libc.__errno_location());
}

/** Encodes a C string. The caller keeps a reference while C may read it. */
export function cText(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

export class CTexts {
  readonly #texts: readonly Uint8Array[];
  readonly #pointers: BigUint64Array;

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(cText);
    this.#pointers = new BigUint64Array([...this.#texts.map((text) => BigInt(ptr(text))), 0n]);
  }

  get pointer(): Pointer {
    return ptr(this.#pointers);
  }
}
