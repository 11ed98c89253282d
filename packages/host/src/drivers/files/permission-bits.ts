/**
 * Mode bits that survive a replacement of the content. As with `write(2)`, new content must not run with the rights of
 * the file's owner (setuid, setgid).
 */
export const permissionBits = 0o777;
