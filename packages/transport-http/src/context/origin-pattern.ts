/** Such as `https://app.example`, `tauri://localhost`, `app://*`; `null` is what a page without an origin sends. */
export const originPattern = /^(?:null|https?:\/\/[^\s/*]+|(?!https?:)[a-z][a-z0-9+.-]*:\/\/(?:[^\s/*]+|\*))$/i;
