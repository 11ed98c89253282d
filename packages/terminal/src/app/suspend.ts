/** Gives the terminal back to the shell until `fg`; the whole job stops, with what was started with it in a pipe. */
export function suspend({ leave, enter }: { readonly leave: () => void; readonly enter: () => void }): void {
  leave();
  process.once("SIGCONT", enter);
  process.kill(0, "SIGTSTP");
}
