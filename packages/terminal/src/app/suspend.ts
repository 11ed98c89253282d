/** Gives the terminal back to the shell until `fg`; the whole job stops, with what is in a pipe with it. Windows: nothing. */
export function suspend({ leave, enter }: { readonly leave: () => void; readonly enter: () => void }): void {
  if (process.platform === "win32") return;
  leave();
  process.once("SIGCONT", enter);
  process.kill(0, "SIGTSTP");
}
