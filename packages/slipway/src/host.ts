/** Nothing here has a password, so nothing listens for other machines. */
export const host = '127.0.0.1'
