/** What of a mode an extension sees and sets: neither setuid nor what else acts in the name of somebody. */
export const permissionBits = 0o777;
