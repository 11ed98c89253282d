/**
 * How many times longer than usual code runs before the engine compiles it. Compiling and what is compiled take 10 MB or more, and a
 * terminal that only shows what a host says has little to do: what is slow enough to be felt is compiled still.
 */
const late = 1_000;

/** For a process that shows what a host in another process says. */
export function compileLate(): void {
  Bun.unsafe.setJITPolicy(late);
}

/** For a process that has a host inside. */
export function compileAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
}
