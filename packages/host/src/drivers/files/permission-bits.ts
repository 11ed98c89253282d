/**
 * Mode bits that an extension sees and sets, and that survive a replacement of the content. They exclude setuid,
 * setgid and the sticky bit: as with `write(2)`, new content must not run with the rights of the file's owner.
 */
export const permissionBits = 0o777;
