/** Factor by which the engine delays compilation, which takes 10 MB or more; noticeably slow code is still compiled. */
const late = 1_000;

/** For processes that display the output of a separate host, and need little code. */
export function compileLate(): void {
  Bun.unsafe.setJITPolicy(late);
}

export function compileAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
}
