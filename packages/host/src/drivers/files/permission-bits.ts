/**
 * The bits of a mode that an extension sees and sets, and that a file keeps when its content is replaced. Setuid, setgid and the
 * sticky bit are not among them: as with `write(2)`, new content does not run in the name of the file's owner.
 */
export const permissionBits = 0o777;
