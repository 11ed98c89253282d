/**
 * Gives the terminal back when the process ends in whatever way it still notices, such as by an error that nobody caught.
 * @param stop Writes what a terminal needs to be as it was found; not called again once the result was disposed of.
 */
export function givenBackAtExit(stop: () => void): Disposable {
  process.once("exit", stop);
  return { [Symbol.dispose]: () => process.off("exit", stop) };
}
