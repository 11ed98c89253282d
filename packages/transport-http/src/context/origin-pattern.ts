/** Such as `https://app.example`, `tauri://localhost`, `app://*`; pages without an origin send `null`. */
export const originPattern = /^(?:null|https?:\/\/[^\s/*]+|(?!https?:)[a-z][a-z0-9+.-]*:\/\/(?:[^\s/*]+|\*))$/i;
