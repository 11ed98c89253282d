/**
 * Factor by which the engine delays compilation. Compilation takes 10 MB or more, and a terminal that only displays a
 * host's output needs little; noticeably slow code is still compiled.
 */
const late = 1_000;

/** For processes that display the output of a separate host. */
export function compileLate(): void {
  Bun.unsafe.setJITPolicy(late);
}

/** For processes with an in-process host. */
export function compileAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
}
