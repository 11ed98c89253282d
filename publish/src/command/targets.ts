export interface Target {
  /** As Node's platform, with a non-default C library: `linux-x64-musl`. */
  readonly name: string;
  readonly bun: string;
  readonly os: string;
  readonly cpu: string;
  readonly libc?: "glibc" | "musl";
}

/** https://bun.sh/docs/bundler/executables */
export const targets: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64", os: "linux", cpu: "x64", libc: "glibc" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl", os: "linux", cpu: "x64", libc: "musl" },
  { name: "linux-arm64", bun: "bun-linux-arm64", os: "linux", cpu: "arm64", libc: "glibc" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl" },
  { name: "darwin-x64", bun: "bun-darwin-x64", os: "darwin", cpu: "x64" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64", os: "darwin", cpu: "arm64" },
  { name: "win32-x64", bun: "bun-windows-x64", os: "win32", cpu: "x64" },
  { name: "win32-arm64", bun: "bun-windows-arm64", os: "win32", cpu: "arm64" },
];

export function packageOf({ name }: Target): string {
  return `@incipit/cli-${name}`;
}

/** Returns the path of the program in its package, where `bin/incipit.ts` expects it. */
export function programOf({ os }: Target): string {
  return os === "win32" ? "bin/incipit.exe" : "bin/incipit";
}
